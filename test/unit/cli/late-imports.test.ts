import { expect, it } from "vitest";
import { importLateIn } from "../../../src/cli/build/late-parts.ts";

it("each dynamic import of a built file goes through importLate, and nothing else changes", () => {
  expect(
    importLateIn(
      'import{a as e}from"./chunk-AB12.js";var t=async()=>(await import("./trash-list-CD34.js")).T,n=()=>import("./x-EF56.js").then(r);import(e);',
    ),
  ).toBe(
    'import{a as e}from"./chunk-AB12.js";var t=async()=>(await importLate("./trash-list-CD34.js")).T,n=()=>importLate("./x-EF56.js").then(r);import(e);',
  );
});
