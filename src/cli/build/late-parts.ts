/** How the build treats parts of the app that load late: the scripts that ask for them, and the styles that they bring. */
import { readFile } from "node:fs/promises";
import { resolve, sep } from "node:path";
import type { Plugin } from "esbuild";

/** Browsers that support `light-dark()`, nesting, container queries and popovers (README). */
export const TARGET: readonly string[] = ["chrome123", "firefox125", "safari17.5"];

/** Scripts import the first stylesheet from here. */
const FIRST_STYLES = `${sep}ui${sep}styles${sep}`;

/** `import rules from "./part.css"` gives the rules, minified. What the first stylesheet imports becomes part of it. */
export const lateStylesPlugin = (target: readonly string[]): Plugin => ({
  name: "late-styles",
  setup: ({ onLoad, onResolve, esbuild }) => {
    onResolve({ filter: /\.css$/ }, ({ kind, path, resolveDir }) => {
      const file = resolve(resolveDir, path);
      return kind !== "import-statement" || file.includes(FIRST_STYLES)
        ? undefined
        : { path: file, pluginData: "late" };
    });
    onLoad({ filter: /\.css$/ }, async ({ path, pluginData }) => {
      if (pluginData !== "late") return undefined;
      const rules = await readFile(path, "utf8");
      const { code } = await esbuild.transform(rules, { loader: "css", minify: true, target: [...target] });
      return { contents: code.trim(), loader: "text" };
    });
  },
});

/** The function of `src/ui/parts/lazy.ts`, as the page's global object has it. */
const IMPORT_LATE = "importLate";

/** A dynamic import of a file beside the importing one, as esbuild prints it minified. */
const DYNAMIC_IMPORT = /\bimport\(("\.\/[\w-]+\.js")\)/g;

/** Lets a built script load later code through `importLate`, which asks again after a failure. */
export const importLateIn = (script: string): string => script.replace(DYNAMIC_IMPORT, `${IMPORT_LATE}($1)`);
