/**
 * Stands for `@better-auth/memory-adapter` in the deployed Worker, as `left-out.ts` does for others. In a file of its own: it is
 * imported dynamically, and esbuild keeps all of whatever such a module imports.
 */
export const memoryAdapter = (): never => {
  throw new Error("better-auth was made without a database.");
};
