/** A stylesheet beside a component becomes a text of its code, unless the first stylesheet imports it. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { lateStylesPlugin } from "../../../src/cli/build/late-parts.ts";

it("a part's styles come with its code, minified, and are no part of the first stylesheet, which has those that it imports", async () => {
  const dir = mkdtempSync(join(tmpdir(), "late-styles-"));
  mkdirSync(join(dir, "ui/styles"), { recursive: true });
  writeFileSync(join(dir, "ui/styles/app.css"), `@layer a; @import "../first.css" layer(a);`);
  writeFileSync(join(dir, "ui/first.css"), "body { margin: 0 }");
  writeFileSync(join(dir, "ui/part.css"), ".part {\n  color: red;\n}\n");
  writeFileSync(
    join(dir, "ui/main.js"),
    `import "./styles/app.css"; import rules from "./part.css"; console.log(rules);`,
  );
  const { outputFiles } = await build({
    entryPoints: [join(dir, "ui/main.js")],
    outdir: join(dir, "out"),
    ...{ bundle: true, minify: true, write: false, plugins: [lateStylesPlugin(["chrome123"])] },
  });
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
  expect(textOf(".css").trim()).toBe("@layer a;@layer a{body{margin:0}}");
  expect(textOf(".js")).toContain(".part{color:red}");
});
