/** How a built file asks for code that loads later. */

/** The function of `src/ui/parts/late/import-late.ts`, as the page's global object has it. */
const IMPORT_LATE = "importLate";

/** A dynamic import of a file beside the importing one, as esbuild prints it minified. */
const DYNAMIC_IMPORT = /\bimport\(("\.\/[\w-]+\.js")\)/g;

/** Lets a built script load later code through `importLate`, which asks again after a failure. */
export const importLateIn = (script: string): string => script.replace(DYNAMIC_IMPORT, `${IMPORT_LATE}($1)`);
