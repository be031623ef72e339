import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { formatEnvFile, writeEnvFile } from "../../../src/cli/dev/secret-files.ts";

it.each([
  ["a plain value", "abc", "KEY='abc'\n"],
  ["a comment sign and spaces", " a # b ", "KEY=' a # b '\n"],
  ["a single quote", "it's", "KEY=`it's`\n"],
  ["a double quote", '{"a":1}', "KEY='{\"a\":1}'\n"],
  ["a dollar sign, which wrangler would expand", "a$HOME", "KEY='a\\$HOME'\n"],
])("quotes %s", (_, value, line) => {
  expect(formatEnvFile({ KEY: value })).toBe(line);
});

it.each(["it's a `tick`", "C:\\"])("refuses %s, which the format cannot hold", (value) => {
  expect(() => formatEnvFile({ KEY: value })).toThrow(/^KEY: /);
});

it("is readable by its owner alone, also over a file that was left behind", () => {
  const directory = mkdtempSync(join(tmpdir(), "tally-env-"));
  const path = join(directory, "dev.env");
  writeFileSync(path, "OLD=1", { mode: 0o644 });
  writeEnvFile(path, { KEY: "value" });
  expect(readFileSync(path, "utf8")).toBe("KEY='value'\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  rmSync(directory, { recursive: true });
});
