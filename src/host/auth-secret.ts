/** The secret of the dev command's log-in cookies: made once for a persist directory, so that people stay signed in. */
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SECRET_BYTES = 32;

/** The secret kept in the directory; made, and readable by its owner alone, when there is none. */
export const authSecretIn = (persistTo: string): string => {
  const path = join(persistTo, "auth-secret");
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The first start on this directory.
    const secret = randomBytes(SECRET_BYTES).toString("base64url");
    writeFileSync(path, secret, { mode: 0o600, flag: "wx" });
    return secret;
  }
};
