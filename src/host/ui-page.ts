/** The page around the app: the template with the hashed names of what it needs first. */
import type { Metafile } from "esbuild";

/** Where the page asks for the first stocks, so that they come together with the scripts. The app asks the same. */
const FIRST_STOCKS_PATH = "/_framework/actions/list-stocks?limit=200";

/**
 * Fills the template. Only what the entry imports at once is preloaded; chunks that load later stay out.
 *
 * @throws {Error} when the build has no such entry, which is a mistake in the build itself.
 */
export const pageHtml = (template: string, outputs: Metafile["outputs"]): string => {
  const entry = outputOf(outputs, "src/ui/main.tsx");
  const theme = outputOf(outputs, "src/ui/theme-boot.ts");
  const chunks = staticImports(outputs, entry);
  const css = outputs[entry]?.cssBundle;
  const lines = [
    `<script src="${urlOf(theme)}"></script>`,
    ...(css === undefined ? [] : [`<link rel="stylesheet" href="${urlOf(css)}">`]),
    ...[entry, ...chunks].map((path) => `<link rel="modulepreload" href="${urlOf(path)}">`),
    `<link rel="preload" as="fetch" href="${FIRST_STOCKS_PATH}" crossorigin>`,
    `<script type="module" src="${urlOf(entry)}"></script>`,
  ];
  return template.replace("<!-- build: assets -->", lines.join("\n    "));
};

/** The file that an entry point became, relative to the project. */
export const outputOf = (outputs: Metafile["outputs"], entryPoint: string): string => {
  const found = Object.entries(outputs).find(([, output]) => output.entryPoint === entryPoint);
  if (found === undefined) throw new Error(`The build made nothing of ${entryPoint}.`);
  return found[0];
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
