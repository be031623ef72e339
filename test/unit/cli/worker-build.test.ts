/** The size of the Worker, read off what wrangler prints of a build. */
import { expect, it } from "vitest";
import { sizeProblems } from "../../../src/cli/build/worker-build.ts";

const printed = (kib: number) => `Total Upload: 3000.00 KiB / gzip: ${kib} KiB\nYour Worker has access to:\n`;

it("takes a Worker that is within its budget", () => {
  expect(sizeProblems(printed(600.25))).toEqual([]);
});

it("names a Worker that is too large, and how to see of what", () => {
  expect(sizeProblems(printed(1224.87))).toEqual([
    expect.stringMatching(/^The Worker is 1224\.87 KiB gz, over its [\d.]+: \.wrangler\/worker\.meta\.json /),
  ]);
});

it("does not take silence for a small Worker", () => {
  expect(sizeProblems("Done.")).toEqual([expect.stringContaining("did not report the size")]);
});
