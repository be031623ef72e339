/** The file by which variables reach wrangler: a command line can be read by every process of the machine. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartRefusal } from "./start-refusal.ts";

/** Where the dev command on this directory has it, while it runs. */
export const envFileIn = (persistTo: string): string => join(persistTo, "dev.env");

/** Writes the file anew, readable by its owner alone. */
export const writeEnvFile = (path: string, variables: Readonly<Record<string, string>>): void => {
  // `mode` counts only for a file that is created, and a killed start may have left one behind.
  rmSync(path, { force: true });
  writeFileSync(path, formatEnvFile(variables), { mode: 0o600, flag: "wx" });
};

/**
 * One `NAME='value'` a line. Wrangler expands `$NAME` in such a file, so every dollar sign is escaped.
 *
 * @throws {StartRefusal} for a value that the format has no quotes for: one with both ' and `, or with \ at its end.
 */
export const formatEnvFile = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => {
      const quote = ["'", "`"].find((mark) => !value.includes(mark));
      if (quote === undefined || value.endsWith("\\")) {
        throw new StartRefusal(`${name}: its value cannot have both ' and \` in it, or \\ at its end.`);
      }
      return `${name}=${quote}${value.replaceAll("$", "\\$")}${quote}\n`;
    })
    .join("");
