/** Which Chromium is taken, and how a missing one is got. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { findChromium, USUAL_PLACES, WHOLE_BROWSER_PLACES } from "../../../support/browser/find-chromium.ts";
import { installWays } from "../../../support/browser/install-ways.ts";

const dir = mkdtempSync(join(tmpdir(), "tally-chromium-"));
afterAll(() => rmSync(dir, { recursive: true }));

const program = (name: string, exitCode: number): string => {
  const path = join(dir, name);
  writeFileSync(path, `#!/bin/sh\nexit ${exitCode}\n`, { mode: 0o755 });
  return path;
};

const working = program("chromium", 0);
const stub = program("stub", 1);
const missing = join(dir, "missing");

it("takes the first that runs, and passes over what is missing or a stub", () => {
  expect(findChromium(undefined, [missing, stub, working])).toBe(working);
});

it("finds none where none runs", () => {
  expect(findChromium("", [missing, stub])).toBeUndefined();
});

it("takes CHROMIUM_PATH before all others", () => {
  expect(findChromium(working, [])).toBe(working);
});

it("refuses a CHROMIUM_PATH that does not run, instead of taking another", () => {
  expect(() => findChromium(stub, [working])).toThrow(
    `CHROMIUM_PATH: ${stub} does not run. Name a Chromium that does, or leave it unset.`,
  );
});

it("takes the one without windows for what needs no notifications alone", () => {
  expect(USUAL_PLACES).toEqual(["/usr/bin/chromium-headless-shell", ...WHOLE_BROWSER_PLACES]);
  expect(WHOLE_BROWSER_PLACES.filter((path) => path.includes("headless-shell"))).toEqual([]);
});

it("asks apt first where it may, and Playwright otherwise", () => {
  const titles = (machine: { isRoot: boolean; hasApt: boolean }) => installWays(machine).map(({ title }) => title);
  expect(titles({ isRoot: true, hasApt: true })).toEqual([
    "apt-get install chromium-headless-shell",
    "apt-get install chromium",
    "Playwright's own download",
  ]);
  expect(titles({ isRoot: false, hasApt: true })).toEqual(["Playwright's own download"]);
  expect(titles({ isRoot: true, hasApt: false })).toEqual(["Playwright's own download"]);
});
