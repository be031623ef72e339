/** Lines of the dev command's output that nobody should have to see. */

/** What a death may leave in the output of the life that ends by it, or that begins after it. */
const ALLOWED: readonly RegExp[] = [];

const TROUBLE = /"level":"error"|\bERROR\b|Uncaught|Unhandled|Error:|workerd\/.*(fatal|exception)/;

/** Lines of trouble, without the allowed ones, each once. */
export const logProblems = (output: string): string[] => {
  const lines = output
    .split("\n")
    .filter((line) => TROUBLE.test(line) && !ALLOWED.some((allowed) => allowed.test(line)));
  return [...new Set(lines)].map((line) => `the log says: ${line.slice(0, 400)}`);
};
