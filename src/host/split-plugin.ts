/**
 * Corrections to how esbuild splits the app. It makes a chunk for every set of entries that share a module: the first
 * paint came in 25 small files, which compress badly, and the agent's panel fetched seven of 140 to 880 bytes. And it goes
 * by files: through the icons' common index, every icon of the app belonged to the first paint. Of that, it is 6 KB (gzip).
 */
import { readFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import type { Plugin } from "esbuild";

/** Marks modules that load later. */
const LAZY = "lazy";

/** Named icons, as the sources import them. Types among them are left out: nothing of them reaches the browser. */
const ICON_IMPORT = /(import|export) \{([^}]*)\} from "(@tabler\/icons-preact)";/g;

const nameIconFiles = (_: string, keyword: string, names: string, library: string): string =>
  names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => `${keyword} { default as ${name} } from "${library}/dist/esm/icons/${name}.mjs";`)
    // On one line, so that positions in messages stay right.
    .join(" ");

/**
 * Each module that loads later also imports `app`, which is there by then, and `shared`. So all that the app needs at
 * first is reached by the same entries, and becomes one chunk; and all that `shared` imports becomes a second one.
 */
export const splitPlugin = (app: string, shared: string): Plugin => ({
  name: "split",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\..*\.tsx?$/ }, ({ kind, path, resolveDir }) =>
      kind === "dynamic-import" ? { path: resolve(resolveDir, path), pluginData: LAZY } : undefined,
    );
    onLoad({ filter: /[\\/]src[\\/]ui[\\/].*\.tsx?$/ }, ({ path, pluginData }) => {
      const contents = readFileSync(path, "utf8").replace(ICON_IMPORT, nameIconFiles);
      return {
        contents:
          pluginData === LAZY
            ? `${contents}\nimport ${JSON.stringify(app)}; import ${JSON.stringify(shared)};\n`
            : contents,
        loader: extname(path) === ".tsx" ? "tsx" : "ts",
      };
    });
  },
});
