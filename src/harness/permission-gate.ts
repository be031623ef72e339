/**
 * The gate of permission mode `allow-reads` (api.md §4): what runs unasked, what a person is asked and can answer, what a
 * standing rule covers. A harness asks it before each call. It alone decides what needs permission; questions and plans are asked by
 * their tools, and paths that no tool may touch are refused by the workspace (`workspace/guarded-path`).
 */
import { log } from "../contract/log.ts";
import type { PermissionMode, PermissionOption, PermissionSubject, ToolKind } from "../contract/permission.ts";
import { within } from "../contract/within.ts";
import { foldName } from "../workspace/resolve-path.ts";
import type { PermissionAsk } from "./journal.ts";
import { planRefusal } from "./plan-mode.ts";
import { FEW_A_RUN, type GivenRule, ruleCovers, ruleLabel, ruleScopeOf } from "./standing-rule.ts";
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
  /**
   * The result of an edit or a command once the workspace is another directory than the run's (decision 0219): whatever was allowed was
   * allowed in the run's own. Undefined for any other call. Asked when the subject is known, and again before what was allowed runs.
   */
  elsewhere(subject: PermissionSubject | undefined): CallResult | undefined;
  /** Whether this kind of tool runs without asking in the session's permission mode. */
  runsUnasked(kind: ToolKind): boolean;
};

/** What the gate of one run depends on. */
type GateParts = {
  readonly mode: PermissionMode;
  readonly limits: RuleLimits;
  /** The run's workspace, by its name for people. For edits and commands, only rules that were made in this workspace count. */
  readonly workspaceDir: string;
  /** Whether the workspace is another one by now. */
  readonly hasMoved: boolean;
  /** Whether the run is in plan mode now. */
  readonly isPlanning: () => boolean;
  /** Whether each log-in that has said something to this run may allow a command (decision 0083). */
  readonly areSpeakersConfirmed: () => Promise<boolean>;
  /** The thread's standing rules as they are now. */
  readonly findRules: () => Promise<readonly GivenRule[]>;
};

/** How long to wait for the answer about the log-ins, in ms, before the person is asked. D1 may never answer. */
const SPEAKERS_LIMIT_MS = 5_000;

const MOVED: CallResult = {
  status: "denied",
  output:
    "The workspace is another directory now. This turn began in the one before, so it neither changes files nor runs commands here. Tell the person to send a new message for that.",
};

export const permissionGate = ({
  mode,
  limits,
  workspaceDir,
  hasMoved,
  isPlanning,
  areSpeakersConfirmed,
  findRules,
}: GateParts): PermissionGate => {
  const mayBecomeRule = (subject: PermissionSubject): boolean => isOpenToRules(subject, limits);
  return {
    refusal: (call) => planRefusal(call, isPlanning()),
    elsewhere: (subject) => (hasMoved && isOfWorkspace(subject) ? MOVED : undefined),
    runsUnasked: (kind) => runsUnasked(mode, kind),
    mayBecomeRule,
    isCovered: async (subject) => {
      // Checked for stored rules as well: an earlier release made some that this one would not offer.
      if (!mayBecomeRule(subject)) return false;
      try {
        const isHere = (rule: GivenRule) =>
          !isOfWorkspace(subject) || (rule.workspaceDir ?? workspaceDir) === workspaceDir;
        const isCovered = (await findRules()).some((rule) => ruleCovers(rule.scope, subject) && isHere(rule));
        return isCovered && (subject.type !== "command" || (await within(SPEAKERS_LIMIT_MS, areSpeakersConfirmed)));
      } catch (error) {
        // After an error nothing is covered: asking once too often is safe.
        log.warn("No rules.", { error });
        return false;
      }
    },
  };
};

const isOfWorkspace = (subject: PermissionSubject | undefined): boolean =>
  subject?.type === "edit" || subject?.type === "command";

/** Whether a kind runs unasked: only reads do, so a new kind asks. */
export const runsUnasked = (mode: PermissionMode, kind: ToolKind): boolean => mode === "allow-reads" && kind === "read";

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
