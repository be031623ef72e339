/** The same sources give the same files, in whatever order esbuild comes to read them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type ImportKind, type Plugin } from "esbuild";
import { expect, it, onTestFinished } from "vitest";
import { splitPlugin } from "../../../src/cli/build/split-plugin.ts";

/** The module `both.ts` loads late, and is also imported by name from another one that does. */
const SOURCES = {
  "app.ts": `import { shown } from "./bar.ts"; shown(); void import("./dialog.ts");`,
  "bar.ts": `import { shared } from "./shared.ts"; export const shown = () => import("./both.ts").then(shared);`,
  "both.ts": `import { shared } from "./shared.ts"; export const name = shared("name");`,
  "dialog.ts": `import { name } from "./both.ts"; import { shared } from "./shared.ts"; console.log(shared(name));`,
  "shared.ts": `export const shared = (value: unknown) => console.log(value);`,
} as const;

/** Lets esbuild read `both.ts` before the import of this kind has said where it is. */
const resolveLast = (last: ImportKind): Plugin => ({
  name: "resolve-last",
  setup: ({ onResolve, onLoad }) => {
    const isRead = Promise.withResolvers<void>();
    onResolve({ filter: /both\.ts$/ }, async ({ kind }) => {
      if (kind === last) await isRead.promise;
      return undefined;
    });
    onLoad({ filter: /both\.ts$/ }, () => {
      isRead.resolve();
      return undefined;
    });
  },
});

it("a module that is imported in both ways is one that loads later", async () => {
  const dir = mkdtempSync(join(tmpdir(), "tally-same-build-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [name, source] of Object.entries(SOURCES)) writeFileSync(join(dir, name), source);
  const app = join(dir, "app.ts");
  const filesWhenLast = async (kind: ImportKind): Promise<Readonly<Record<string, string>>> => {
    const { outputFiles } = await build({
      entryPoints: [app],
      outdir: join(dir, "out"),
      entryNames: "[name]-[hash]",
      chunkNames: "[name]-[hash]",
      bundle: true,
      splitting: true,
      format: "esm",
      write: false,
      plugins: [resolveLast(kind), splitPlugin({ dir, app, shared: join(dir, "shared.ts") })],
    });
    return Object.fromEntries(outputFiles.map(({ path, text }) => [path, text]));
  };
  expect(await filesWhenLast("dynamic-import")).toEqual(await filesWhenLast("import-statement"));
});
