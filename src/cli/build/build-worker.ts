/**
 * Bundles the Worker for a deploy, in modules: what is imported dynamically is a file of its own, which is evaluated when it is first
 * needed. Wrangler would make one file of all, in which such a module keeps every export of what it imports (decision 0091).
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { build, type OutputFile, type Plugin } from "esbuild";
import { experimental_readRawConfig } from "wrangler";
import { PROJECT_DIR } from "../../process/project.ts";
import { smallerShell } from "./smaller-shell.ts";
import { META_FILE } from "./worker-build.ts";
import { writeWhole } from "./write-whole.ts";

/** Flags that make wrangler take the modules as they are. Without them, it would bundle them again. */
export const AS_BUILT = ["--no-bundle", "--upload-source-maps"] as const;

/** What `[alias]` of wrangler.toml replaces: an import of exactly that path. */
const aliasPlugin = (alias: Readonly<Record<string, string>>): Plugin => ({
  name: "alias",
  setup: ({ onResolve }) => {
    onResolve({ filter: /./ }, ({ path }) => {
      const file = alias[path];
      return file === undefined ? undefined : { path: join(PROJECT_DIR, file) };
    });
  },
});

/**
 * Drops imports of the platform's own modules of which nothing is used. Such a module does nothing when it is imported but takes time,
 * `node:crypto` 4 ms.
 */
export const unusedBuiltins: Plugin = {
  name: "unused-builtins",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
  },
};

/** What is evaluated first. */
const ENTRY = join(PROJECT_DIR, "src/worker.ts");

/**
 * Makes each late module import the entry, which is there before it. What both need is then in one file, evaluated once, before the first
 * answer. Otherwise esbuild would cut the entry into a file for each set of late modules that share a part of it.
 */
const lateImportsEntry: Plugin = {
  name: "late-imports-entry",
  setup: ({ onResolve, onLoad, resolve }) => {
    const late = new Set<string>();
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, async ({ path, kind, pluginData, ...where }) => {
      if (kind !== "dynamic-import" || pluginData === late) return undefined;
      const resolved = await resolve(path, { ...where, kind, pluginData: late });
      late.add(resolved.path);
      return resolved;
    });
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!late.has(path)) return undefined;
      // Where the project is must not be part of a module's hash.
      const entry = `./${relative(dirname(path), ENTRY).split(sep).join("/")}`;
      return { contents: `${await readFile(path, "utf8")}\nimport ${JSON.stringify(entry)};\n`, loader: "ts" };
    });
  },
};

/** The modules are in this directory of `outDir`, the first one in `worker.js`. */
export const MODULES_DIR = "worker";

/**
 * The directory that esbuild names the modules for. Their names have a hash over the paths from here to the sources, and gzip's result
 * depends on the order of the names: named for another directory, builds of one source differed by a KiB.
 */
const NAMED_FOR = join(PROJECT_DIR, ".wrangler", MODULES_DIR);

const writeModules = async (files: readonly OutputFile[], dir: string): Promise<void> => {
  for (const { path, contents } of files) {
    const file = join(dir, relative(NAMED_FOR, path));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, contents);
  }
};

/** Bundles into `outDir`, an absolute path. Returns the path of the configuration for wrangler: wrangler.toml with this as its Worker. */
export const buildWorker = async (outDir: string): Promise<string> => {
  const { rawConfig } = experimental_readRawConfig({ config: join(PROJECT_DIR, "wrangler.toml") });
  const { alias = {}, assets, d1_databases = [], build: custom, keep_names: _, ...rest } = rawConfig;
  // As wrangler bundles a Worker with `nodejs_compat`, except for what the head of this file says.
  const { metafile, outputFiles } = await build({
    entryPoints: { worker: ENTRY },
    outdir: NAMED_FOR,
    write: false,
    absWorkingDir: PROJECT_DIR,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    minify: true,
    sourcemap: true,
    target: "es2024",
    supported: { "import-source": true, using: true },
    conditions: ["workerd", "worker", "browser"],
    define: { "process.env.NODE_ENV": '"production"', "navigator.userAgent": '"Cloudflare-Workers"' },
    external: ["node:*", "cloudflare:*"],
    loader: { ".sql": "text" },
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    plugins: [aliasPlugin(alias), smallerShell, unusedBuiltins, lateImportsEntry],
  });
  await writeModules(outputFiles, join(outDir, MODULES_DIR));
  writeWhole(join(PROJECT_DIR, META_FILE), JSON.stringify(metafile));
  const config = join(outDir, "wrangler.json");
  const absolute = (path: string): string => join(PROJECT_DIR, path);
  await writeFile(
    config,
    JSON.stringify({
      ...rest,
      main: `${MODULES_DIR}/worker.js`,
      rules: [{ type: "ESModule", globs: ["**/*.js"] }],
      build: { command: custom?.command, cwd: PROJECT_DIR },
      assets: { ...assets, directory: absolute(assets?.directory ?? "public") },
      // Without the name of the local database: with it, wrangler would say that it works on a preview.
      d1_databases: d1_databases.map((database: object) => ({
        ...database,
        preview_database_id: undefined,
        migrations_dir: absolute("migrations"),
      })),
    }),
  );
  return config;
};
