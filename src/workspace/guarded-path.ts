/**
 * Files that no file tool, search or list ever shows, since they hold keys (DESIGN §5). Names are compared as the most
 * forgiving file systems do: without case, compatibility forms and invisible characters, so `.ENV` is `.env` everywhere.
 */
import { foldName } from "./fold-name.ts";
import { showPath } from "./resolve-path.ts";
import { WorkspaceError } from "./workspace.ts";

/** Programs keep credentials in these. */
const CREDENTIAL_NAMES: ReadonlySet<string> = new Set([
  ...[".npmrc", ".netrc", "_netrc", ".git-credentials", ".aws", ".ssh", ".gnupg", ".kube"],
  // The dev command's own storage, and the token that the README has one make for `npm run workspace`.
  ...[".wrangler", "workspace-token"],
]);

/** Terraform's state, its backups and directories of states, and its variables: both hold what they name in the clear. */
const TERRAFORM = /\.tfstate(\.|$)|\.tfvars(\.json)?$/;

/** Names that are guarded wherever they stand, with everything below them. */
const isGuardedName = (name: string): boolean =>
  name.startsWith(".dev.vars") ||
  (name.startsWith(".env") && name !== ".env.example") ||
  CREDENTIAL_NAMES.has(name) ||
  TERRAFORM.test(name);

/** `id_rsa`, `id_ed25519`, `id_ecdsa_sk`, whose public halves have an extension; else by the extension. */
const isPrivateKey = (name: string): boolean => /\.(pem|key|p12|pfx|jks)$/.test(name) || /^id_[^.]+$/.test(name);

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
    (last === "config.json" && names.at(-2) === ".docker") ||
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
