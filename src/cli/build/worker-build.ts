/** How large the Worker may be, and how large it is. */

/**
 * Size limit of the Worker after gzip, in KiB as wrangler counts them: 700,000 bytes. Every location parses all of it at a cold start. What
 * a deploy leaves out is in decisions 0086, 0091 and 0170.
 */
export const MAX_WORKER_KIB = 683.59;

/** Where in the project each build of the Worker leaves the record of what it was made of. */
export const META_FILE = ".wrangler/worker.meta.json";

/** KiB after gzip, from wrangler's output of a build; NaN when it is not in there. */
export const workerKib = (output: string): number => Number(/gzip: ([\d.]+) KiB/.exec(output)?.[1]);

/** What is wrong with a build's size, as messages; empty when it is within its budget. */
export const sizeProblems = (output: string): string[] => {
  const kib = workerKib(output);
  if (kib <= MAX_WORKER_KIB) return [];
  if (Number.isNaN(kib)) return [`wrangler did not report the size of the Worker:\n${output}`];
  return [
    `The Worker is ${kib} KiB gz, over its ${MAX_WORKER_KIB}: ${META_FILE} tells esbuild's analyzer what takes the space.`,
  ];
};
