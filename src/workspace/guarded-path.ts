/**
 * Files that no file tool, search or list ever shows, since they hold keys (DESIGN §5). Names are compared as the most
 * forgiving file systems do: without case, compatibility forms and invisible characters, so `.ENV` is `.env` everywhere.
 */
import { foldName } from "./fold-name.ts";
import { showPath } from "./resolve-path.ts";
import { WorkspaceError } from "./workspace.ts";

/** Names that are guarded wherever they stand, with everything below them. */
const isGuardedName = (name: string): boolean =>
  name.startsWith(".dev.vars") || (name.startsWith(".env") && name !== ".env.example") || name === ".wrangler";

/** `id_rsa`, `id_ed25519`, `id_ecdsa_sk`; the public half has an extension. */
const isPrivateKey = (name: string): boolean => name.endsWith(".pem") || /^id_[^.]+$/.test(name);

/**
 * Whether a resolved path is guarded, or below something that is. `directories` are further guarded ones, resolved: the
 * dev command's own storage.
 */
export const isGuardedPath = (path: string, directories: readonly string[] = []): boolean => {
  const names = path.split("/").map(foldName);
  const last = names.at(-1) ?? "";
  return (
    names.some(isGuardedName) ||
    isPrivateKey(last) ||
    // Also of submodules, which are below `.git/modules`: a configuration can hold a token and can name programs to run.
    (last === "config" && names.slice(0, -1).includes(".git")) ||
    directories.some((directory) => isBelow(names, directory.split("/").map(foldName)))
  );
};

const isBelow = (names: readonly string[], directory: readonly string[]): boolean =>
  directory.every((name, index) => names[index] === name);

/** @throws {WorkspaceError} `refused` when the path is guarded. */
export const refuseGuardedPath = (path: string, directories: readonly string[] = []): void => {
  if (!isGuardedPath(path, directories)) return;
  throw new WorkspaceError(
    "refused",
    `${showPath(path)} is guarded, since it can hold keys: it is neither read, changed nor listed. Ask the person for what you need from it.`,
  );
};
