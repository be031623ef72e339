/**
 * The gate of permission mode `allow-reads` (api.md §4): what runs unasked, what a person is asked and can answer, what a
 * standing rule covers. A harness asks it before each call, and nothing else decides.
 */
import { log } from "../contract/log.ts";
import type {
  PermissionMode,
  PermissionOption,
  PermissionSubject,
  RuleScope,
  ToolKind,
} from "../contract/permission.ts";
import { foldName } from "../workspace/resolve-path.ts";
import type { PermissionAsk } from "./journal.ts";
import { planRefusal } from "./plan-mode.ts";
import type { Proposal } from "./tools/tool.ts";
import type { CallResult, ToolCall } from "./turn.ts";

/** What a call's permission depends on. */
export type PermissionGate = {
  /** Whether, in this run, a rule may be offered for the subject and may cover it. */
  mayBecomeRule(subject: PermissionSubject): boolean;
  /** Whether a rule of the thread covers the subject. Checked for each call, because a rule can be revoked. */
  isCovered(subject: PermissionSubject): Promise<boolean>;
  /** How a call ends that must neither run nor ask in this run; undefined for any other. Asked before anything else. */
  refusal(call: Pick<ToolCall, "tool" | "kind">): CallResult | undefined;
  /** Whether this kind of tool runs without asking in the session's permission mode. */
  runsUnasked(kind: ToolKind): boolean;
};

/** What the gate of one run decides by. */
type GateParts = {
  readonly mode: PermissionMode;
  readonly limits: RuleLimits;
  /** Whether the run is in plan mode now. */
  readonly isPlanning: () => boolean;
  /** The thread's standing rules as they are now. */
  readonly findRules: () => Promise<readonly { readonly scope: RuleScope }[]>;
};

export const permissionGate = ({ mode, limits, isPlanning, findRules }: GateParts): PermissionGate => {
  const mayBecomeRule = (subject: PermissionSubject): boolean => isOpenToRules(subject, limits);
  return {
    refusal: (call) => planRefusal(call, isPlanning()),
    runsUnasked: (kind) => runsUnasked(mode, kind),
    mayBecomeRule,
    isCovered: async (subject) => {
      // Older rules too: a release before this one offered rules for more subjects.
      if (!mayBecomeRule(subject)) return false;
      try {
        return (await findRules()).some(({ scope }) => ruleCovers(scope, subject));
      } catch (error) {
        // Without the rules nothing is covered: asking once too often is the safe side.
        log.warn("No rules.", { error });
        return false;
      }
    },
  };
};

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

/** What limits the standing rules of a run. */
type RuleLimits = {
  /** This app's own source, relative to the workspace's root: `.` when it is the root itself, undefined when it is elsewhere. */
  readonly ownSourceDir: string | undefined;
  /** Whether a schedule started the run. Rules were given by somebody who was there: what starts by itself, again and again, asks each time. */
  readonly isScheduled: boolean;
  /** How many calls of an action rules have covered in this run. */
  readonly coveredCalls: (action: string) => number;
};

/**
 * Whether a subject can have a rule at all. Not an edit of the running app: it could change this very file, and would be
 * served at once. Nor an action whose rules have covered what they may, nor anything of a run that a schedule started.
 */
const isOpenToRules = (subject: PermissionSubject, limits: RuleLimits): boolean => {
  if (limits.isScheduled) return false;
  switch (subject.type) {
    case "action":
      return limits.coveredCalls(subject.name) < (FEW_A_RUN.get(subject.name)?.calls ?? Number.POSITIVE_INFINITY);
    case "edit":
      return limits.ownSourceDir === undefined || !isBelow(subject.path, limits.ownSourceDir);
    case "command":
      return true;
    case "budget":
    case "plan":
      return false;
  }
};

/** Actions of which a rule covers only so many calls per run, and how its label says so. */
const FEW_A_RUN: ReadonlyMap<string, { readonly calls: number; readonly words: string }> = new Map([
  ["delete-stock", { calls: 3, words: ", up to three per run" }],
]);

/** Actions as a rule's label names them, after "Always allow". */
const ACTION_WORDS: ReadonlyMap<string, string> = new Map([
  ["add-stock", "adding stocks"],
  ["update-stock", "changing stocks"],
  ["delete-stock", "deleting stocks"],
  ["delete-schedule", "deleting schedules"],
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
  const [yes, no] = subject.type === "plan" ? ["Do it", "Change it"] : ["Allow once", "Reject"];
  const options: PermissionOption[] = [
    { decision: "allow_once", label: yes },
    ...(rule ? [{ decision: "allow_always" as const, label: `Always allow ${rule.label}` }] : []),
    { decision: "reject", label: no },
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
    case "plan":
      // Money, and what is to be done, are asked for each time.
      return undefined;
  }
};

const ruleLabel = (scope: RuleScope): string => {
  switch (scope.type) {
    case "action":
      return `${ACTION_WORDS.get(scope.name) ?? scope.name} in this chat${FEW_A_RUN.get(scope.name)?.words ?? ""}`;
    case "command":
      return `running "${scope.command}" in ${scope.dir === "." ? "the workspace" : scope.dir} in this chat`;
    case "edit":
      return `edits in ${scope.dir} in this chat`;
  }
};

/** With these a shell runs a second command, or inserts the output of one. */
const CHAINS_OR_SUBSTITUTES = /[;&|`<>\n\r\\$]/;

/**
 * Files that decide what other tools run or install: `package.json`, and lockfiles by whatever name (`yarn.lock`,
 * `bun.lockb`, `package-lock.json`, `packages.lock.json`, `gradle.lockfile`, `go.sum`). Each edit of them is asked for.
 */
const GUARDED_FILE = /^package\.json$|[.-]lock(b|file)?$|[.-]lock\.(json|yaml|hcl)$|^npm-shrinkwrap\.json$|^go\.sum$/;
