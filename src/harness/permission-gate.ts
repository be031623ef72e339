/**
 * The gate of permission mode `allow-reads` (api.md §4): what runs unasked, what a person is asked and can answer, what a
 * standing rule covers. A harness asks it before each call. It alone decides what needs permission; questions and plans are asked by
 * their tools, and paths that no tool may touch are refused by the workspace (`workspace/guarded-path`).
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

/** What a harness asks about a call. */
export type PermissionGate = {
  /** Whether, in this run, a rule may be offered for the subject and may cover it. */
  mayBecomeRule(subject: PermissionSubject): boolean;
  /** Whether a rule of the thread covers the subject. Checked for each call, because a rule can be revoked. */
  isCovered(subject: PermissionSubject): Promise<boolean>;
  /** The result of a call that may neither run nor ask now, as in plan mode; undefined for any other. Asked before anything else. */
  refusal(call: Pick<ToolCall, "tool" | "kind">): CallResult | undefined;
  /** Whether this kind of tool runs without asking in the session's permission mode. */
  runsUnasked(kind: ToolKind): boolean;
};

/** What the gate of one run depends on. */
type GateParts = {
  readonly mode: PermissionMode;
  readonly limits: RuleLimits;
  /** Whether the run is in plan mode now. */
  readonly isPlanning: () => boolean;
  /** Whether each log-in that has said something to this run may allow a command (decision 0083). */
  readonly areSpeakersConfirmed: () => Promise<boolean>;
  /** The thread's standing rules as they are now. */
  readonly findRules: () => Promise<readonly { readonly scope: RuleScope }[]>;
};

export const permissionGate = ({
  mode,
  limits,
  isPlanning,
  areSpeakersConfirmed,
  findRules,
}: GateParts): PermissionGate => {
  const mayBecomeRule = (subject: PermissionSubject): boolean => isOpenToRules(subject, limits);
  return {
    refusal: (call) => planRefusal(call, isPlanning()),
    runsUnasked: (kind) => runsUnasked(mode, kind),
    mayBecomeRule,
    isCovered: async (subject) => {
      // Older rules too: a release before this one offered rules for more subjects.
      if (!mayBecomeRule(subject)) return false;
      try {
        const isCovered = (await findRules()).some(({ scope }) => ruleCovers(scope, subject));
        return isCovered && (subject.type !== "command" || (await areSpeakersConfirmed()));
      } catch (error) {
        // Nothing is covered then: asking once too often is the safe side.
        log.warn("No rules.", { error });
        return false;
      }
    },
  };
};

/** Whether a kind runs unasked: only reads do, so a new kind asks. */
export const runsUnasked = (mode: PermissionMode, kind: ToolKind): boolean => mode === "allow-reads" && kind === "read";

/** Whether a standing rule covers a subject: one that equals it, or for an edit one of a directory above it. */
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
  /** Whether a schedule started the run. Rules were made by somebody who was watching; a run that starts by itself asks each time. */
  readonly isScheduled: boolean;
  /** How many calls of an action rules have covered in this run. */
  readonly coveredCalls: (action: string) => number;
};

/**
 * Whether rules count for a subject in this run. They do not for an edit of the running app, which could change this very file and
 * would be served at once; for an action whose rules have covered as many calls as they may; and in a run that a schedule started.
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

/** Actions of which a rule covers only a few calls per run, and how its label says so. */
const FEW_A_RUN: ReadonlyMap<string, { readonly calls: number; readonly words: string }> = new Map([
  ["delete-stock", { calls: 3, words: ", up to three per run" }],
]);

/** Actions as a rule's label names them, after "Always allow". */
const ACTION_WORDS: ReadonlyMap<string, string> = new Map([
  ["add-stock", "adding stocks"],
  ["update-stock", "changing stocks"],
  ["delete-stock", "deleting stocks"],
]);

/** Names are folded, as the most lenient file systems compare them. */
const isBelow = (path: string, dir: string): boolean =>
  dir === "." || `${path.split("/").map(foldName).join("/")}/`.startsWith(`${dir.split("/").map(foldName).join("/")}/`);

/**
 * What a person is asked: the subject, the buttons in their order, and the rule behind "always". That button is left out unless tool
 * and gate allow it (`mayBecomeRule`), and if the subject is too long to be shown whole.
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

/** The rule that a subject could become, or undefined if none may be made of it. */
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
      // Folded, since many file systems take `Package.json` for the same file.
      const names = parts.map(foldName);
      const isAlwaysAsked =
        [...parts, ...names].some((name) => name.startsWith(".")) || ALWAYS_ASKED.test(names.at(-1) ?? "");
      return isAlwaysAsked || parts.length < 2 ? undefined : { type: "edit", dir: parts.slice(0, -1).join("/") };
    }
    case "budget":
    case "plan":
      // More money, and a plan, are asked for each time.
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

/** With these characters a shell runs a second command, inserts an output or a variable, or redirects. */
const CHAINS_OR_SUBSTITUTES = /[;&|`<>\n\r\\$]/;

/**
 * Files that decide what other programs run or install, so that no rule covers an edit of them: `package.json`, and lockfiles of any
 * name (`yarn.lock`, `bun.lockb`, `package-lock.json`, `packages.lock.json`, `gradle.lockfile`, `go.sum`).
 */
const ALWAYS_ASKED = /^package\.json$|[.-]lock(b|file)?$|[.-]lock\.(json|yaml|hcl)$|^npm-shrinkwrap\.json$|^go\.sum$/;
