/**
 * Files that no file tool, search or list ever shows, because they contain keys. Names are compared as the most lenient file
 * systems do: without case, compatibility forms and invisible characters, so `.ENV` is `.env` everywhere.
 */
import { foldName, showPath } from "./resolve-path.ts";
import { WorkspaceError } from "./workspace.ts";

/** Files and directories in which programs keep credentials. */
export const CREDENTIAL_NAMES = [
  ...[".npmrc", ".yarnrc.yml", ".netrc", "_netrc", ".git-credentials", ".pypirc", ".pgpass", ".my.cnf", ".htpasswd"],
  ...[".aws", ".azure", ".ssh", ".gnupg", ".kube", ".dockercfg", ".vault-token", ".terraformrc", ".terraform.d"],
  ...["credentials.json", ".credentials.json", "credentials.toml", ".databrickscfg", ".s3cfg", ".claude.json"],
  // What quickstarts and frameworks call the file with the keys: Google's, Composer's, Streamlit's, Azure Functions'.
  ...["token.json", "token.pickle", "auth.json", "local.settings.json"],
  ...["secrets.json", "secrets.yml", "secrets.yaml", "secrets.toml"],
  // Dynaconf's and act's. The baseline of detect-secrets has a longer name, and holds only hashes.
  ...[".secrets", ".secrets.json", ".secrets.yml", ".secrets.yaml", ".secrets.toml"],
  ...[".boto", ".mylogin.cnf", ".clasprc.json", ".sentryclirc", "rclone.conf"],
  // The dev command's own storage, the README's file for a token, and the secret in that storage, which another start may keep elsewhere.
  ...[".wrangler", "workspace-token", "auth-secret"],
] as const;

const CREDENTIALS: ReadonlySet<string> = new Set(CREDENTIAL_NAMES);

/** Names that are too common by themselves, below the directory in which they hold credentials. */
export const CREDENTIAL_PATHS = [
  ".docker/config.json",
  ...[
    ".cargo/credentials",
    ".gem/credentials",
    ".config/gcloud",
    ".config/gh",
    ".config/hub",
    ".config/git/credentials",
  ],
  ".m2/settings.xml",
] as const;

/** Names that the consoles of Google, Firebase and AWS give to the keys that they hand out, and that people give to these keys. */
const CLOUD_KEY =
  /^client_secret.*\.json$|(^|[-_]|firebase|google)service[-_]?account.*\.json$|firebase[-_]admin[-_]?sdk.*\.json$|[-_]credentials\.json$|^(rootkey|(.*_)?(accesskeys|credentials))\.csv$/;

/** Terraform's states, with backups and directories, and its variables: both contain secrets in plain text. */
const TERRAFORM = /\.tfstate(\.|$)|\.tfvars(\.json)?$/;

/** The second name that NTFS may give a file: `ENV~1`, `CREDEN~1.JSO`. WSL opens a file on a Windows drive by it. No list shows it. */
const SHORT_NAME = /^(?=[^.]{3,8}(\.|$))[^.]+~\d+(\.[^.]{1,3})?$/;

/** Names that are guarded at any depth, with everything below them. */
const isGuardedName = (name: string): boolean =>
  name.startsWith(".dev.vars") ||
  (name.startsWith(".env") && name !== ".env.example") ||
  name.endsWith(".env") ||
  CREDENTIALS.has(name) ||
  CLOUD_KEY.test(name) ||
  TERRAFORM.test(name) ||
  SHORT_NAME.test(name);

/**
 * For a path's last name. `id_rsa`, `id_ed25519` and `id_ecdsa_sk`, whose public halves have an extension; other keys by their extension;
 * and kubectl's configuration, which contains a key. Go packages have that configuration's name too, with source in them.
 */
const isPrivateKey = (name: string): boolean =>
  /\.(pem|key|p8|p12|pfx|jks|keystore|ppk|kdbx)$/.test(name) ||
  /^id_[^.]+$|^(.*\.)?kubeconfig$|(^|[-_.])kubeconfig\.(ya?ml|json)$/.test(name);

/** What editors and people put after a copy's name, as globs: `server.key~`, `#server.key#`, `server.key.bak`, `.server.key.swp`. */
const COPY_ENDINGS = ["~", "#", ".bak", ".old", ".orig", ".save", ".sw[a-p]"] as const;

/** What file managers and browsers put there or before an extension: `a copy.json`, `a - Kopie (2).json`, `a (copy).json`, `a(1).json`. */
const COPY_WORDS = String.raw` (- )?[ck]op(y|i[ae])| \((\w+ )?copy( \d+)?\)| \d+| ?\(\d+\)`;

const ANY_ENDING = new RegExp(`(${COPY_ENDINGS.join("|").replaceAll(".", "\\.")}|${COPY_WORDS})+$`);

const BEFORE_EXTENSION = new RegExp(`(${COPY_WORDS})+(?=\\.[^.]+$)`);

const copiedName = (name: string): string =>
  name
    .replace(/^(\.?#|\.(?=.+\.sw[a-p]$))/, "")
    .replace(ANY_ENDING, "")
    .replace(BEFORE_EXTENSION, "");

/** Globs that find the copies of what a glob finds, copies of the glob's first directory if it has one, and a few more. */
export const copyGlobs = (glob: string): readonly string[] => {
  const at = glob.lastIndexOf("/") + 1;
  const [directory, name] = [glob.slice(0, at), glob.slice(at)];
  const copies = [
    ...COPY_ENDINGS.map((ending) => `${name}${ending}*`),
    ...[`#${name}*`, `.#${name}*`, `.${name}.sw[a-p]*`],
    // A blank or a parenthesis, as a range: the SDK's rules are in parentheses, so a parenthesis in a rule could end it.
    ...[`${name}[ -,]*`, ...(/.\./.test(name) ? [name.replace(/\.[^.]+$/, "[ -,]*$&")] : [])],
  ];
  return [...copies.map((copy) => directory + copy), ...(at === 0 ? [] : [glob.replace("/", "[ -,.~]*/")])];
};

/**
 * Whether a resolved path is guarded, or below something guarded. `directories` are additional guarded ones, resolved: the dev
 * command's own storage.
 */
export const isGuardedPath = (path: string, directories: readonly string[] = []): boolean => {
  const names = path.split("/").map(foldName);
  const copied = names.map(copiedName);
  return (
    hasGuardedName(names) ||
    hasGuardedName(copied) ||
    // Git's configuration can contain a token and name programs to run. That includes submodules, which are below `.git/modules`.
    (/^config(\.worktree)?$/.test(copied.at(-1) ?? "") && copied.some((name) => name.endsWith(".git"))) ||
    directories.some((directory) => isBelow(names, directory.split("/").map(foldName)))
  );
};

const hasGuardedName = (names: readonly string[]): boolean =>
  names.some(isGuardedName) ||
  isPrivateKey(names.at(-1) ?? "") ||
  CREDENTIAL_PATHS.some((path) => `/${names.join("/")}/`.includes(`/${path}/`));

const isBelow = (names: readonly string[], directory: readonly string[]): boolean =>
  directory.every((name, index) => names[index] === name);

/** @throws {WorkspaceError} `refused` when the path is guarded. */
export const refuseGuardedPath = (path: string, directories: readonly string[] = []): void => {
  if (isGuardedPath(path, directories)) throw guardedRefusal(path);
};

/** What is said of a guarded file. */
export const guardedRefusal = (path: string): WorkspaceError =>
  new WorkspaceError(
    "refused",
    `${showPath(path)} is guarded because it can contain keys: it cannot be read, changed or listed. Ask the person for what you need from it.`,
  );
