/**
 * Replaces `@better-auth/memory-adapter` in the deployed Worker, as `left-out.ts` does for others. It needs its own file: it is
 * imported dynamically, and esbuild keeps everything that such a module imports.
 */
export const memoryAdapter = (): never => {
  throw new Error("better-auth was created without a database.");
};
