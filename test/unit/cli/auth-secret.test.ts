/** The dev command's secret: people stay signed in from one start to the next. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { authSecretIn } from "../../../src/cli/dev/secret-files.ts";

const makeDirectory = () => {
  const path = mkdtempSync(join(tmpdir(), "tally-secret-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

it("is made once for a directory, long enough, and readable by its owner alone", () => {
  const directory = makeDirectory();
  const secret = authSecretIn(directory);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(authSecretIn(directory)).toBe(secret);
  expect(statSync(join(directory, "auth-secret")).mode & 0o777).toBe(0o600);
});

it("is another one for another directory", () => {
  expect(authSecretIn(makeDirectory())).not.toBe(authSecretIn(makeDirectory()));
});

it.each(["", "cut-off"])("is made again where a full disk left %j of it", (rest) => {
  const directory = makeDirectory();
  writeFileSync(join(directory, "auth-secret"), rest, { mode: 0o600 });
  const secret = authSecretIn(directory);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(authSecretIn(directory)).toBe(secret);
  expect(readdirSync(directory)).toEqual(["auth-secret"]);
});
