/** What a person downloads before the first paint of `/stocks`, and its budget (DESIGN §7). */
import { gzipSync } from "node:zlib";
import type { Metafile } from "esbuild";
import { outputOf, staticImports } from "./ui-page.ts";

/** Bytes after gzip. */
const BUDGET = { js: 40 * 1024, css: 10 * 1024 } as const;

/** Smallest file that is worth a request, in bytes; a request's own headers are about as long. */
const MIN_CHUNK_BYTES = 300;

/** Scripts and styles that are needed at once, in bytes after gzip; `later` are chunks that load when they are used. */
type Sizes = { readonly js: number; readonly css: number; readonly later: readonly (readonly [string, number])[] };

/** Measures a build. The entry holds the screen of `/stocks`; everything it imports at once is needed first. */
export const sizesOf = (outputs: Metafile["outputs"], read: (path: string) => Uint8Array): Sizes => {
  const gzipped = (path: string): number => gzipSync(read(path), { level: 9 }).length;
  const entry = outputOf(outputs, "src/ui/main.tsx");
  const first = new Set([outputOf(outputs, "src/ui/theme-boot.ts"), entry, ...staticImports(outputs, entry)]);
  const styles = Object.keys(outputs).filter((path) => path.endsWith(".css"));
  const later = Object.keys(outputs).filter((path) => path.endsWith(".js") && !first.has(path));
  return {
    js: sum([...first].map(gzipped)),
    css: sum(styles.map(gzipped)),
    later: later.map((path) => [path.replace(/^public\/assets\//, ""), gzipped(path)] as const),
  };
};

/** One line each, for people. */
export const sizesText = ({ js, css, later }: Sizes): string =>
  [
    `JS before the first paint of /stocks: ${kilobytes(js)} gz (at most ${kilobytes(BUDGET.js)})`,
    `CSS: ${kilobytes(css)} gz (at most ${kilobytes(BUDGET.css)})`,
    ...later.map(([name, size]) => `later: ${name} ${kilobytes(size)} gz`),
  ].join("\n");

/** What is too large, in words; nothing when all is within its budget. */
export const overBudget = ({ js, css }: Sizes): string[] => [
  ...(js > BUDGET.js ? [`The first paint needs ${kilobytes(js)} of JS, over its ${kilobytes(BUDGET.js)}.`] : []),
  ...(css > BUDGET.css ? [`The styles are ${kilobytes(css)}, over their ${kilobytes(BUDGET.css)}.`] : []),
];

/** Files that esbuild made of little more than one shared module, in words, with the remedy. */
export const tooSmall = (outputs: Metafile["outputs"]): string[] =>
  Object.entries(outputs)
    .filter(([path, { bytes, entryPoint }]) => path.endsWith(".js") && !entryPoint && bytes < MIN_CHUNK_BYTES)
    .map(
      ([path, { bytes, inputs }]) =>
        `${path} has ${bytes} bytes: let src/ui/shared-later.ts take ${Object.keys(inputs).join(", ")}.`,
    );

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;
