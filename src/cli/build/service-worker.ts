/** Builds the service worker: one script at a fixed address, which knows the files of the build that it belongs to. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { PROJECT_DIR } from "../../process/project.ts";

const SOURCE = join(PROJECT_DIR, "src/ui/service-worker/service-worker.ts");

/** Files with names of their own that the app needs without a network. */
const FIXED_FILES = ["/icon.svg", "/icon-192.png", "/manifest.webmanifest"] as const;

/** Digits of a build's id: enough to tell builds apart. */
const ID_LENGTH = 12;

/**
 * The script's text. `html` is the page, whose `entry` it names; `assets` are the paths of all scripts and styles, which change with
 * their content; `publicDir` has the files whose names stay. So the id, and with it the script, changes exactly when the app does.
 */
export const buildServiceWorker = async (
  options: BuildOptions,
  app: {
    readonly html: string;
    readonly entry: string;
    readonly assets: readonly string[];
    readonly publicDir: string;
  },
): Promise<string> => {
  const { html, entry, assets, publicDir } = app;
  const hash = createHash("sha256").update(html).update(assets.join());
  for (const path of FIXED_FILES) hash.update(readFileSync(join(publicDir, path)));
  const id = hash.digest("hex").slice(0, ID_LENGTH);
  const facts = { id, entry, files: [...FIXED_FILES, ...assets] };
  const { outputFiles } = await build({
    ...options,
    entryPoints: [SOURCE],
    outdir: PROJECT_DIR,
    bundle: true,
    format: "iife",
    write: false,
    define: { BUILD: JSON.stringify(facts) },
  });
  return outputFiles[0]?.text ?? "";
};
