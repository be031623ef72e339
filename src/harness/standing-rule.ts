/** What a standing rule is (api.md §4): which subjects can become one, what it covers, and how it is worded. */
import type { PermissionSubject, RuleScope } from "../contract/permission.ts";
import { foldName } from "../workspace/resolve-path.ts";

/** A rule, and the workspace in which it was made. Undefined: an earlier release made it, and the thread has not moved since. */
export type GivenRule = { readonly scope: RuleScope; readonly workspaceDir?: string | undefined };

/**
 * Whether a standing rule covers a subject: the same action, the same command in the same directory, or an edit in its directory or
 * below.
 */
export const ruleCovers = (scope: RuleScope, subject: PermissionSubject): boolean => {
  const wanted = ruleScopeOf(subject);
  if (wanted === undefined || wanted.type !== scope.type) return false;
  switch (scope.type) {
    case "action":
      return wanted.type === "action" && wanted.name === scope.name;
    case "command":
      return wanted.type === "command" && wanted.command === scope.command && wanted.dir === scope.dir;
    case "edit":
      return wanted.type === "edit" && `${wanted.dir}/`.startsWith(`${scope.dir}/`);
  }
};

/** The rule that a subject could become, or undefined if none may be made of it. */
export const ruleScopeOf = (subject: PermissionSubject): RuleScope | undefined => {
  switch (subject.type) {
    case "action":
      return { type: "action", name: subject.name };
    case "command":
      return CHAINS_OR_SUBSTITUTES.test(subject.command)
        ? undefined
        : { type: "command", command: subject.command, dir: subject.dir };
    case "edit": {
      const parts = subject.path.split("/");
      // Folded, since many file systems take `Package.json` for the same file.
      const names = parts.map(foldName);
      const isAlwaysAsked =
        [...parts, ...names].some((name) => name.startsWith(".")) || ALWAYS_ASKED.test(names.at(-1) ?? "");
      // At the root a rule would cover the whole workspace.
      return isAlwaysAsked || parts.length < 2 ? undefined : { type: "edit", dir: parts.slice(0, -1).join("/") };
    }
    case "budget":
    case "plan":
      // A person is asked each time about more money, and about a plan.
      return undefined;
  }
};

export const ruleLabel = (scope: RuleScope): string => {
  switch (scope.type) {
    case "action":
      return `${ACTION_WORDS.get(scope.name) ?? scope.name} in this chat${FEW_A_RUN.get(scope.name)?.words ?? ""}`;
    case "command":
      return `running "${scope.command}" in ${scope.dir === "." ? "the workspace" : scope.dir} in this chat`;
    case "edit":
      return `edits in ${scope.dir} in this chat`;
  }
};

/** With these characters a shell runs a second command, inserts an output or a variable, or redirects. */
const CHAINS_OR_SUBSTITUTES = /[;&|`<>\n\r\\$]/;

/**
 * Files that decide what other programs run or install, so that no rule covers an edit of them: `package.json`, and lockfiles of any
 * name (`yarn.lock`, `bun.lockb`, `gems.locked`, `package-lock.json`, `conda-lock.yml`, `gradle.lockfile`, `go.work.sum`,
 * `Package.resolved`, `pylock.toml`, Julia's `Manifest.toml`).
 */
const ALWAYS_ASKED =
  /^package\.json$|[.-]lock(b|ed|file)?$|[.-]lock\.(json|ya?ml|hcl)$|^npm-shrinkwrap\.json$|^go(\.work)?\.sum$|^(package|cartfile)\.resolved$|^pylock(\.[^.]+)?\.toml$|^manifest(-v\d+\.\d+)?\.toml$|^cpanfile\.snapshot$|^cabal\.project\.freeze$|^lake-manifest\.json$/;

/** Actions of which a rule covers only a few calls per run, and how the rule's label says so. */
export const FEW_A_RUN: ReadonlyMap<string, { readonly calls: number; readonly words: string }> = new Map([
  ["delete-stock", { calls: 3, words: ", up to three per run" }],
]);

/** Actions as a rule's label names them, after "Always allow". */
const ACTION_WORDS: ReadonlyMap<string, string> = new Map([
  ["add-stock", "adding stocks"],
  ["update-stock", "changing stocks"],
  ["delete-stock", "deleting stocks"],
]);
