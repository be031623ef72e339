/** What the build is refused for: more than its budgets, and files that cost a request and hold next to nothing. */
import { gzipSync } from "node:zlib";
import type { Metafile } from "esbuild";
import { expect, it } from "vitest";
import { pageHtml } from "../../../src/cli/build/ui-page.ts";
import { overBudget, sizesOf, tooSmall } from "../../../src/cli/build/ui-sizes.ts";

const output = (bytes: number, inputs: readonly string[], entryPoint?: string): Metafile["outputs"][string] => ({
  bytes,
  inputs: Object.fromEntries(inputs.map((path) => [path, { bytesInOutput: bytes }])),
  imports: [],
  exports: [],
  ...(entryPoint === undefined ? {} : { entryPoint }),
});

it("a shared module that became a small file is named, with where it belongs", () => {
  expect(
    tooSmall({
      "public/assets/main-A.js": output(109, ["src/ui/main.tsx"], "src/ui/main.tsx"),
      "public/assets/chunk-B.js": output(232, ["src/ui/parts/dot.tsx", "src/ui/parts/dash.tsx"]),
      "public/assets/chunk-C.js": output(300, ["src/ui/parts/field.tsx"]),
      "public/assets/main-D.css": output(10, ["src/ui/styles/base.css"]),
    }),
  ).toEqual([
    "public/assets/chunk-B.js has 232 bytes: let src/ui/shared-later.ts take src/ui/parts/dot.tsx, src/ui/parts/dash.tsx.",
  ]);
});

/** A build whose entry does nothing but import the file of the app, as `outputs` of esbuild. */
const BUILD: Metafile["outputs"] = {
  "public/assets/theme-boot-A.js": output(20, ["src/ui/theme-boot.ts"], "src/ui/theme-boot.ts"),
  "public/assets/main-B.js": {
    ...output(0, ["src/ui/main.tsx"], "src/ui/main.tsx"),
    imports: [{ path: "public/assets/chunk-C.js", kind: "import-statement" }],
    cssBundle: "public/assets/main-D.css",
  },
  "public/assets/chunk-C.js": {
    ...output(4_000, ["src/ui/app/start.tsx"]),
    imports: [{ path: "public/assets/not-found-E.js", kind: "dynamic-import" }],
  },
  "public/assets/main-D.css": output(400, ["src/ui/styles/app.css"]),
  "public/assets/not-found-E.js": output(400, ["src/ui/app/not-found.tsx"], "src/ui/app/not-found.tsx"),
};

it("the page asks for the file of the app, and not for the entry that does nothing but import it", () => {
  const page = pageHtml("<!-- build: assets -->", BUILD);
  expect(page).toContain('<link rel="modulepreload" href="/assets/chunk-C.js">');
  expect(page).toContain('<script type="module" src="/assets/chunk-C.js"></script>');
  expect(page).toContain('<link rel="stylesheet" href="/assets/main-D.css">');
  expect(page).not.toContain("main-B.js");
  expect(page).not.toContain("not-found-E.js");
});

it("scripts before the first paint are what the page asks for, counted as the dev server sends them", () => {
  // Words in an order that repeats itself now and then: a level of gzip more finds more of it.
  const words = Array.from({ length: 6_000 }, (_, index) => `word${((index * index * 217) % 10_007) % 61} `);
  const text = Buffer.from(words.join(""));
  const { js, css, later } = sizesOf(BUILD, () => text);
  const sent = gzipSync(text).length;
  expect(sent).not.toBe(gzipSync(text, { level: 9 }).length);
  expect({ js, css, later }).toEqual({ js: 2 * sent, css: sent, later: [["not-found-E.js", sent]] });
});

it("a first paint of 40 KB is within its budget, and a byte more is not", () => {
  expect(overBudget({ js: 40_960, css: 10_240, later: [] })).toEqual([]);
  expect(overBudget({ js: 40_961, css: 10_241, later: [] })).toEqual([
    "The first paint needs 40,961 bytes of JS, over its 40,960 bytes.",
    "The styles are 10,241 bytes, over their 10,240 bytes.",
  ]);
});
