/** What a person downloads before the first paint of `/stocks`, and its budget. */
import { gzipSync } from "node:zlib";
import type { Metafile } from "esbuild";
import { ENTRY, outputOf, startOf, staticImports } from "./ui-page.ts";

/** Bytes as they are sent. */
export const BUDGET = { js: 40 * 1024, css: 10 * 1024 } as const;

/**
 * The gzip level of the asset server of `npm run dev` (zlib's own default). That server answers a browser's `Accept-Encoding` with gzip,
 * because without TLS a browser offers no brotli.
 */
const SENT_LEVEL = 6;

/** Smallest file that is worth a request, in bytes; a request's headers alone are about as long. */
const MIN_CHUNK_BYTES = 300;

/** Scripts and styles that are needed at once, in bytes as they are sent; `later` are chunks that load when they are used. */
type Sizes = { readonly js: number; readonly css: number; readonly later: readonly (readonly [string, number])[] };

/** How many bytes of a file are sent. */
export const sentSize = (contents: Uint8Array): number => gzipSync(contents, { level: SENT_LEVEL }).length;

/** Measures a build. The file that starts the app holds the screen of `/stocks`; everything it imports at once is needed first. */
export const sizesOf = (outputs: Metafile["outputs"], read: (path: string) => Uint8Array): Sizes => {
  const sent = (path: string): number => sentSize(read(path));
  const start = startOf(outputs);
  const first = new Set([outputOf(outputs, "src/ui/theme-boot.ts"), start, ...staticImports(outputs, start)]);
  const styles = Object.keys(outputs).filter((path) => path.endsWith(".css"));
  const later = Object.entries(outputs)
    .filter(([path, { entryPoint }]) => path.endsWith(".js") && !first.has(path) && entryPoint !== ENTRY)
    .map(([path]) => path);
  return {
    js: sum([...first].map(sent)),
    css: sum(styles.map(sent)),
    later: later.map((path) => [path.replace(/^public\/assets\//, ""), sent(path)] as const),
  };
};

/** One line each, for people. */
export const sizesText = ({ js, css, later }: Sizes): string =>
  [
    `JS before the first paint of /stocks: ${bytesText(js)} gz (at most ${bytesText(BUDGET.js)})`,
    `CSS: ${bytesText(css)} gz (at most ${bytesText(BUDGET.css)})`,
    ...later.map(([name, size]) => `later: ${name} ${kilobytes(size)} gz`),
  ].join("\n");

/** What is too large, as messages; empty when everything is within its budget. */
export const overBudget = ({ js, css }: Sizes): string[] => [
  ...(js > BUDGET.js ? [`The first paint needs ${bytesText(js)} of JS, over its ${bytesText(BUDGET.js)}.`] : []),
  ...(css > BUDGET.css ? [`The styles are ${bytesText(css)}, over their ${bytesText(BUDGET.css)}.`] : []),
];

/** Messages about files that esbuild made from little more than one shared module, with what to do. */
export const tooSmall = (outputs: Metafile["outputs"]): string[] =>
  Object.entries(outputs)
    .filter(([path, { bytes, entryPoint }]) => path.endsWith(".js") && !entryPoint && bytes < MIN_CHUNK_BYTES)
    .map(
      ([path, { bytes, inputs }]) =>
        `${path} has ${bytes} bytes: let src/ui/shared-later.ts take ${Object.keys(inputs).join(", ")}.`,
    );

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

const bytesText = (bytes: number): string => `${bytes.toLocaleString("en")} bytes`;

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;
