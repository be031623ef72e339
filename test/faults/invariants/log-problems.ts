/** Lines of the dev command's output that nobody should have to see. */

/**
 * What is allowed. A reader that leaves while a frame is being written: workerd says so by itself once a stream, whatever
 * the writer catches (https://github.com/cloudflare/workers-sdk/issues/11071). An unhandled rejection is told otherwise,
 * `Uncaught (in promise)`, and a route that meets a lost connection logs an error of its own.
 */
const ALLOWED: readonly RegExp[] = [/Uncaught Error: Network connection lost\./];

const TROUBLE = /"level":"error"|\bERROR\b|Uncaught|Unhandled|Error:|workerd\/.*(fatal|exception)/;

/** Lines of trouble, without the allowed ones, each once. */
export const logProblems = (output: string): string[] => {
  const lines = output
    .split("\n")
    .filter((line) => TROUBLE.test(line) && !ALLOWED.some((allowed) => allowed.test(line)));
  return [...new Set(lines)].map((line) => `the log says: ${line.slice(0, 400)}`);
};
