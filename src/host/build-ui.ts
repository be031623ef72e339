/**
 * Builds the app's assets: `public/assets/*` with hashed names, and the pages that name them. Wrangler runs it before it
 * bundles the Worker; `--check` also holds the sizes to their budgets, and to files that are worth a request.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { PROJECT_DIR } from "./project.ts";
import { splitPlugin } from "./split-plugin.ts";
import { pageHtml } from "./ui-page.ts";
import { overBudget, sizesOf, sizesText, tooSmall } from "./ui-sizes.ts";
import { writeWhole } from "./write-whole.ts";

const UI_DIR = join(PROJECT_DIR, "src/ui");
const PUBLIC_DIR = join(PROJECT_DIR, "public");

/** Pages that the asset server answers by itself. All are the same: the app reads the path. */
const PAGES = ["index.html", "stocks.html"] as const;

/** What both builds share. */
const COMMON: BuildOptions & { metafile: true; write: false } = {
  outdir: join(PUBLIC_DIR, "assets"),
  absWorkingDir: PROJECT_DIR,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  // Browsers that know `light-dark()`, nesting and container queries.
  target: ["chrome123", "firefox120", "safari17.5"],
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
    plugins: [splitPlugin(join(UI_DIR, "app.tsx"), join(UI_DIR, "shared-later.ts"))],
  }),
  // A classic script: it has to run before the first paint, which modules do not.
  build({ ...COMMON, entryPoints: [join(UI_DIR, "theme-boot.ts")], format: "iife" }),
]);
const outputs: Metafile["outputs"] = { ...app.metafile.outputs, ...theme.metafile.outputs };

// A second start builds the same files while the first one serves them.
for (const { path, contents } of [...app.outputFiles, ...theme.outputFiles]) writeWhole(path, contents);

const html = pageHtml(readFileSync(join(UI_DIR, "index.html"), "utf8"), outputs);
for (const page of PAGES) writeWhole(join(PUBLIC_DIR, page), html);

// Last, so that no page ever names a file that is not there.
const made = new Set(Object.keys(outputs).map((path) => basename(path)));
for (const name of readdirSync(join(PUBLIC_DIR, "assets"))) {
  if (!made.has(name)) rmSync(join(PUBLIC_DIR, "assets", name));
}

const sizes = sizesOf(outputs, (path) => readFileSync(join(PROJECT_DIR, path)));
if (process.argv.includes("--check")) {
  console.log(sizesText(sizes));
  const problems = [...overBudget(sizes), ...tooSmall(outputs)];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
