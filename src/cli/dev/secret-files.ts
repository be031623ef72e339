/**
 * Files with secrets in the dev command's `--persist-to`, readable by their owner alone: one passes variables to wrangler, because every
 * process of the machine can read a command line; one keeps the secret of log-in cookies, so that people stay signed in.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartRefusal } from "../../process/run-program.ts";

/** The file's path while the dev command on this directory is running. */
export const envFileIn = (persistTo: string): string => join(persistTo, "dev.env");

/** Writes a new file, readable by its owner alone. */
export const writeEnvFile = (path: string, variables: Readonly<Record<string, string>>): void => {
  // `mode` applies only to a file that is created, and a killed start may have left one behind.
  rmSync(path, { force: true });
  writeFileSync(path, formatEnvFile(variables), { mode: 0o600, flag: "wx" });
};

/**
 * One `NAME='value'` per line. Wrangler expands `$NAME` in such a file, so every dollar sign is escaped.
 *
 * @throws {StartRefusal} for a value that the format cannot quote: one with both ' and `, or with \ at its end.
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

const SECRET_BYTES = 32;

/**
 * The secret stored in the directory, which must be claimed (`claimDirectory`). If there is none that is long enough for the Worker, it is
 * created, readable by its owner alone.
 */
export const authSecretIn = (persistTo: string): string => {
  const path = join(persistTo, "auth-secret");
  const stored = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (stored.length >= SECRET_BYTES) return stored;
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  // Written to another file first: on a full disk a file is created and stays empty, and every later start would find the empty one.
  const aside = `${path}.new`;
  try {
    rmSync(aside, { force: true });
    writeFileSync(aside, secret, { mode: 0o600, flag: "wx" });
    renameSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
  return secret;
};
