/** Lets a part that loads late bring its styles: a stylesheet beside a component is a text that the component adopts. */
import { readFile } from "node:fs/promises";
import { sep } from "node:path";
import type { Plugin } from "esbuild";

/** Stylesheets of the first paint are here, and stay stylesheets. */
const FIRST_STYLES = `${sep}ui${sep}styles${sep}`;

/** `import rules from "./part.css"` gives the rules, minified. */
export const lateStylesPlugin = (target: readonly string[]): Plugin => ({
  name: "late-styles",
  setup: ({ onLoad, esbuild }) => {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      if (path.includes(FIRST_STYLES)) return undefined;
      const rules = await readFile(path, "utf8");
      const { code } = await esbuild.transform(rules, { loader: "css", minify: true, target: [...target] });
      return { contents: code.trim(), loader: "text" };
    });
  },
});
