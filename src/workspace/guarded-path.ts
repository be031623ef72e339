/**
 * Files that no file tool, search or list ever shows, because they contain keys. Names are compared as by the most lenient file
 * systems: without case, compatibility forms and invisible characters, so `.ENV` is `.env` everywhere.
 */
import { foldName, showPath } from "./resolve-path.ts";
import { WorkspaceError } from "./workspace.ts";

/** Files and directories in which programs keep credentials. */
const CREDENTIAL_NAMES: ReadonlySet<string> = new Set([
  ...[".npmrc", ".netrc", "_netrc", ".git-credentials", ".aws", ".ssh", ".gnupg", ".kube"],
  // The dev command's own storage, and the token file that the README suggests for `npm run workspace`.
  ...[".wrangler", "workspace-token"],
]);

/** Terraform's states, with backups and directories, and its variables: both contain secrets in plain text. */
const TERRAFORM = /\.tfstate(\.|$)|\.tfvars(\.json)?$/;

/** Names that are guarded at any depth, with everything below them. */
const isGuardedName = (name: string): boolean =>
  name.startsWith(".dev.vars") ||
  (name.startsWith(".env") && name !== ".env.example") ||
  CREDENTIAL_NAMES.has(name) ||
  TERRAFORM.test(name);

/** `id_rsa`, `id_ed25519`, `id_ecdsa_sk`, whose public halves have an extension; others by extension. */
const isPrivateKey = (name: string): boolean => /\.(pem|key|p12|pfx|jks)$/.test(name) || /^id_[^.]+$/.test(name);

/**
 * Whether a resolved path is guarded, or below something guarded. `directories` are additional guarded ones, resolved: the dev
 * command's own storage.
 */
export const isGuardedPath = (path: string, directories: readonly string[] = []): boolean => {
  const names = path.split("/").map(foldName);
  const last = names.at(-1) ?? "";
  return (
    names.some(isGuardedName) ||
    isPrivateKey(last) ||
    // Including submodules, which are below `.git/modules`: a configuration can contain a token and name programs to run.
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
    `${showPath(path)} is guarded because it can contain keys: it cannot be read, changed or listed. Ask the person for what you need from it.`,
  );
};
