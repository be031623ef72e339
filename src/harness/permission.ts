/** The rules of permission mode `allow-reads` (CONTRACT §4), pure: what asks, what a person can answer, what a rule covers. */
import type {
  PermissionMode,
  PermissionOption,
  PermissionSubject,
  RuleScope,
  ToolKind,
} from "../contract/permission.ts";
import { foldName } from "../workspace/fold-name.ts";
import type { PermissionAsk } from "./journal.ts";
import type { Proposal } from "./tools/tool.ts";

/** Whether a kind runs unasked. A kind nobody thought of asks. */
export const runsUnasked = (mode: PermissionMode, kind: ToolKind): boolean => mode === "allow-reads" && kind === "read";

/** Whether a standing rule covers a subject. By equality, or by being below the directory of the rule. */
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

/** What of a run narrows its rules. */
export type RuleLimits = {
  /** Where the source of the app that runs is below the workspace's root: `.` when it is all there is, undefined for none. */
  readonly ownSourceDir: string | undefined;
  /** How many calls of an action rules have covered in this run. */
  readonly coveredCalls: (action: string) => number;
};

/**
 * Whether a subject can have a rule at all. Not an edit of the running app: it could change this very file, and would be
 * served at once. Nor an action whose rules have covered what they may.
 */
export const isOpenToRules = (subject: PermissionSubject, limits: RuleLimits): boolean => {
  switch (subject.type) {
    case "action":
      return limits.coveredCalls(subject.name) < (FEW_A_RUN.get(subject.name)?.calls ?? Number.POSITIVE_INFINITY);
    case "edit":
      return limits.ownSourceDir === undefined || !isBelow(subject.path, limits.ownSourceDir);
    case "command":
      return true;
    case "budget":
      return false;
  }
};

/** Actions of which a rule covers so many calls a run, and how its label says so. */
const FEW_A_RUN: ReadonlyMap<string, { readonly calls: number; readonly words: string }> = new Map([
  ["delete-stock", { calls: 3, words: ", three times a run" }],
]);

/** Folded, as the most forgiving disks compare names. */
const isBelow = (path: string, dir: string): boolean =>
  dir === "." || `${path.split("/").map(foldName).join("/")}/`.startsWith(`${dir.split("/").map(foldName).join("/")}/`);

/**
 * What is asked of a person: the subject, the buttons in their order, and the rule behind "always". That button is left
 * out where the tool says so (`mayBecomeRule`) and where the subject is too long to be shown whole.
 */
export const permissionAsk = (
  proposal: Proposal,
  limits: { readonly mayBecomeRule: boolean; readonly isCut: boolean },
): PermissionAsk => {
  const { subject } = proposal;
  const isWhole = !limits.isCut && subject.truncated !== true;
  const scope = limits.mayBecomeRule && isWhole ? ruleScopeOf(subject) : undefined;
  const rule = scope && { scope, label: ruleLabel(scope) };
  const options: PermissionOption[] = [
    { decision: "allow_once", label: "Allow once" },
    ...(rule ? [{ decision: "allow_always" as const, label: `Always allow ${rule.label}` }] : []),
    { decision: "reject", label: "Reject" },
  ];
  return { ...proposal, options, rule };
};

/** The rule a subject could become, or undefined where none may be made. */
const ruleScopeOf = (subject: PermissionSubject): RuleScope | undefined => {
  switch (subject.type) {
    case "action":
      return { type: "action", name: subject.name };
    case "command":
      return CHAINS_OR_SUBSTITUTES.test(subject.command)
        ? undefined
        : { type: "command", command: subject.command, dir: subject.dir };
    case "edit": {
      const parts = subject.path.split("/");
      // Folded, since `Package.json` is the same file on many a disk.
      const names = parts.map(foldName);
      const isGuarded =
        [...parts, ...names].some((name) => name.startsWith(".")) || GUARDED_FILE.test(names.at(-1) ?? "");
      return isGuarded || parts.length < 2 ? undefined : { type: "edit", dir: parts.slice(0, -1).join("/") };
    }
    case "budget":
      // Money is asked for each time.
      return undefined;
  }
};

const ruleLabel = (scope: RuleScope): string => {
  switch (scope.type) {
    case "action":
      return `${scope.name} in this chat${FEW_A_RUN.get(scope.name)?.words ?? ""}`;
    case "command":
      return `the command "${scope.command}" in ${scope.dir === "." ? "the workspace" : scope.dir}, in this chat`;
    case "edit":
      return `edits below ${scope.dir}, in this chat`;
  }
};

/** A shell reads more than one command, or another command's output, out of these. */
const CHAINS_OR_SUBSTITUTES = /[;&|`<>\n\r\\$]/;

/**
 * Files that decide what other tools run or install: `package.json`, and lockfiles by whatever name (`yarn.lock`,
 * `bun.lockb`, `package-lock.json`, `packages.lock.json`, `gradle.lockfile`, `go.sum`). Each edit of them is asked for.
 */
const GUARDED_FILE = /^package\.json$|[.-]lock(b|file)?$|[.-]lock\.(json|yaml|hcl)$|^npm-shrinkwrap\.json$|^go\.sum$/;
