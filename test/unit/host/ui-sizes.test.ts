/** What the build is refused for beside its budgets: files that cost a request and hold next to nothing. */
import type { Metafile } from "esbuild";
import { expect, it } from "vitest";
import { tooSmall } from "../../../src/host/ui-sizes.ts";

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
