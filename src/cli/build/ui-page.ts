/** Makes the page around the app: the template with the hashed names of the files it needs first. */
import type { Metafile } from "esbuild";

/** The page requests the first stocks itself, so that they arrive together with the scripts. The app uses the same URL. */
const FIRST_STOCKS_PATH = "/_framework/actions/list-stocks?limit=200";

/** The app's entry point. The file built from it may be empty (`startOf`). */
export const ENTRY = "src/ui/main.tsx";

/**
 * Fills in the template. Only what the entry imports statically is preloaded, not chunks that load later.
 *
 * @throws {Error} when the build has no such entry, which is a mistake in the build itself.
 */
export const pageHtml = (template: string, outputs: Metafile["outputs"]): string => {
  const theme = outputOf(outputs, "src/ui/theme-boot.ts");
  const start = startOf(outputs);
  const chunks = staticImports(outputs, start);
  const css = outputs[outputOf(outputs, ENTRY)]?.cssBundle;
  const lines = [
    `<script src="${urlOf(theme)}"></script>`,
    ...(css === undefined ? [] : [`<link rel="stylesheet" href="${urlOf(css)}">`]),
    ...[start, ...chunks].map((path) => `<link rel="modulepreload" href="${urlOf(path)}">`),
    `<link rel="preload" as="fetch" href="${FIRST_STOCKS_PATH}" crossorigin>`,
    `<script type="module" src="${urlOf(start)}"></script>`,
  ];
  return template.replace("<!-- build: assets -->", lines.join("\n    "));
};

/** The file built from an entry point, relative to the project. */
export const outputOf = (outputs: Metafile["outputs"], entryPoint: string): string => {
  const found = Object.entries(outputs).find(([, output]) => output.entryPoint === entryPoint);
  if (found === undefined) throw new Error(`The build produced no file for ${entryPoint}.`);
  return found[0];
};

/** The file that starts the app: the entry's file, or, if that does nothing but import one chunk, this chunk, which saves a request. */
export const startOf = (outputs: Metafile["outputs"]): string => {
  const entry = outputOf(outputs, ENTRY);
  const { inputs = {}, imports = [] } = outputs[entry] ?? {};
  const isEmpty = Object.values(inputs).every(({ bytesInOutput }) => bytesInOutput === 0);
  const [only, ...others] = imports.filter(({ kind }) => kind === "import-statement");
  return isEmpty && only !== undefined && others.length === 0 ? only.path : entry;
};

/** Everything that `path` imports at once, directly or not; each once. */
export const staticImports = (outputs: Metafile["outputs"], path: string, seen = new Set<string>()): string[] => {
  for (const { path: target, kind } of outputs[path]?.imports ?? []) {
    if (kind !== "import-statement" || seen.has(target)) continue;
    seen.add(target);
    staticImports(outputs, target, seen);
  }
  return [...seen];
};

const urlOf = (path: string): string => path.replace(/^public/, "");
