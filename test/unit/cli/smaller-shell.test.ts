/** just-bash as a deploy has it: without some commands. That the others run is held by the test of the deployed Worker. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withoutCommands } from "../../../src/cli/build/smaller-shell.ts";
import { PACKAGES_DIR } from "../../../src/process/project.ts";
import { LEFT_OUT_COMMANDS } from "../../../src/workspace/durable/left-out-commands.ts";

const source = readFileSync(join(PACKAGES_DIR, "just-bash/dist/bundle/browser.js"), "utf8");

const listed = (text: string): string[] => [...text.matchAll(/\{name:"([\w-]+)",load:/g)].map(([, name = ""]) => name);

it("lists all commands but those that are left out, in the same order", () => {
  const isLeftOut = new Set<string>(LEFT_OUT_COMMANDS);
  expect(listed(source)).toEqual(expect.arrayContaining([...LEFT_OUT_COMMANDS]));
  expect(listed(withoutCommands(source))).toEqual(listed(source).filter((name) => !isLeftOut.has(name)));
});

it("says so when just-bash is not as expected", () => {
  expect(() => withoutCommands("var a=1;")).toThrow("the wrapper of modules was not found");
  const other = source.replaceAll('{name:"file",', '{name:"file2",');
  expect(() => withoutCommands(other)).toThrow("the command file was not found");
});
