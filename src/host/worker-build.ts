/** How the Worker is bundled for a deploy. `npm run dev` and the tests leave it as it is written, so that stacks can be read. */

/** Small, and with what names the lines of a stack in the logs. */
export const DEPLOY_BUILD = ["--minify", "--upload-source-maps"] as const;

/** Bytes of the Worker after gzip, in KiB as wrangler counts them. Every location parses all of it at a cold start. */
export const MAX_WORKER_KIB = 740;

/** KiB after gzip by what wrangler prints of a build; NaN when it prints none. */
export const workerKib = (output: string): number => Number(/gzip: ([\d.]+) KiB/.exec(output)?.[1]);

/** What is wrong with a build's size, in words; nothing when it is within its budget. */
export const sizeProblems = (output: string): string[] => {
  const kib = workerKib(output);
  if (kib <= MAX_WORKER_KIB) return [];
  if (Number.isNaN(kib)) return [`wrangler does not say how large the Worker is:\n${output}`];
  return [
    `The Worker is ${kib} KiB gz, over its ${MAX_WORKER_KIB}: npx wrangler deploy --dry-run --metafile says of what.`,
  ];
};
