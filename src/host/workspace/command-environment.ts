/** The environment of the agent's commands: what a shell needs to find programs, and nothing that could be a secret. */
import { delimiter } from "node:path";
import { PACKAGES_DIR } from "../project.ts";

/** Four variables at most, from the environment of this process. */
export const commandEnvironment = (from: Readonly<Record<string, string | undefined>>): Record<string, string> => ({
  PATH: withoutOwnPackages(from.PATH ?? "/usr/local/bin:/usr/bin:/bin"),
  LANG: from.LANG ?? "C.UTF-8",
  TERM: from.TERM ?? "dumb",
  ...(from.HOME === undefined ? {} : { HOME: from.HOME }),
});

/** npm puts this project's own programs first; the person's project must find its own, as in their terminal. */
const withoutOwnPackages = (path: string): string =>
  path
    .split(delimiter)
    .filter((directory) => !directory.startsWith(PACKAGES_DIR))
    .join(delimiter);
