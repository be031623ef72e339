/**
 * Builds the app's assets: `public/assets/*` with hashed names, and the pages that refer to them. Wrangler runs it before it bundles
 * the Worker; `--check` also checks the sizes against their budgets, and that every file is worth a request.
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { PROJECT_DIR } from "../../process/project.ts";
import { importLateIn, lateStylesPlugin, TARGET } from "./late-parts.ts";
import { buildServiceWorker } from "./service-worker.ts";
import { splitPlugin } from "./split-plugin.ts";
import { pageHtml, startOf } from "./ui-page.ts";
import { overBudget, sizesOf, sizesText, tooSmall } from "./ui-sizes.ts";
import { removeOthers, writeWhole } from "./write-whole.ts";

const UI_DIR = join(PROJECT_DIR, "src/ui");

const PUBLIC_DIR = join(PROJECT_DIR, "public");

/** Pages that the asset server answers by itself. They are identical: the app reads the path. */
const PAGES = ["index.html", "stocks.html"] as const;

/** Options of both builds. */
const COMMON: BuildOptions & { metafile: true; write: false } = {
  outdir: join(PUBLIC_DIR, "assets"),
  absWorkingDir: PROJECT_DIR,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  target: [...TARGET],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: true,
  metafile: true,
  write: false,
  legalComments: "none",
  logLevel: "warning",
};

const [app, theme] = await Promise.all([
  build({
    ...COMMON,
    entryPoints: [join(UI_DIR, "main.tsx")],
    format: "esm",
    splitting: true,
    plugins: [
      splitPlugin({ dir: UI_DIR, app: join(UI_DIR, "app/app.tsx"), shared: join(UI_DIR, "shared-later.ts") }),
      lateStylesPlugin(TARGET),
    ],
  }),
  // A classic script: it must run before the first paint, and modules do not.
  build({ ...COMMON, entryPoints: [join(UI_DIR, "theme-boot.ts")], format: "iife" }),
]);

const outputs: Metafile["outputs"] = { ...app.metafile.outputs, ...theme.metafile.outputs };

// A second start builds the same files while the first one is serving them.
for (const { path, contents, text } of [...app.outputFiles, ...theme.outputFiles]) {
  writeWhole(path, path.endsWith(".js") ? importLateIn(text) : contents);
}

const html = pageHtml(readFileSync(join(UI_DIR, "index.html"), "utf8"), outputs);

for (const page of PAGES) writeWhole(join(PUBLIC_DIR, page), html);

const urls = Object.keys(outputs).map((path) => path.replace(/^public/, ""));

const serviceWorker = await buildServiceWorker(
  { ...COMMON, entryNames: "[name]" },
  {
    html,
    entry: startOf(outputs).replace(/^public/, ""),
    assets: urls.filter((url) => /\.(js|css)$/.test(url)).sort(),
    publicDir: PUBLIC_DIR,
  },
);

writeWhole(join(PUBLIC_DIR, "service-worker.js"), serviceWorker);

// A file like the app's own, so that it costs the Worker nothing (docs/api.md).
writeWhole(join(PUBLIC_DIR, "_framework/openapi.json"), readFileSync(join(PROJECT_DIR, "docs/openapi.json")));

// Last, so that no page ever names a file that is not there.
removeOthers(join(PUBLIC_DIR, "assets"), new Set(Object.keys(outputs).map((path) => basename(path))));

const sizes = sizesOf(outputs, (path) => readFileSync(join(PROJECT_DIR, path)));

if (process.argv.includes("--check")) {
  console.log(sizesText(sizes));
  const problems = [...overBudget(sizes), ...tooSmall(outputs)];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
