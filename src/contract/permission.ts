/** Permission mode `allow-reads`: what a request shows, how it can be answered, what a standing rule is (api.md §4). */
import * as z from "zod";
import { RequestId } from "./ids.ts";
import { wellFormed } from "./plain-text.ts";

/** The only mode (api.md §4): reads run, edits and commands ask. */
export const PermissionMode = z.literal("allow-reads");
export type PermissionMode = z.infer<typeof PermissionMode>;

/** What a tool does to the world. Anything but `read` asks. */
export const ToolKind = z.enum(["read", "edit", "execute"]);
export type ToolKind = z.infer<typeof ToolKind>;

/** What a person can answer. `allow_always` also makes a standing rule of the thread. */
export const PermissionDecision = z.enum(["allow_once", "allow_always", "reject"]);
export type PermissionDecision = z.infer<typeof PermissionDecision>;

/** How a request was resolved: by a person's decision, or by the system when nobody decided. */
export const PermissionOutcome = z.enum([...PermissionDecision.options, "expired", "aborted"]);
export type PermissionOutcome = z.infer<typeof PermissionOutcome>;

/** Who resolved a request. */
export const DecidedBy = z.enum(["user", "rule", "system"]);
export type DecidedBy = z.infer<typeof DecidedBy>;

/** Present, and true, if a long string was cut to keep the frame under 64 KB; the request's own route has it whole. */
const truncated = z.boolean().optional();

/** What would happen, exactly: the stored input is what runs. */
export const PermissionSubject = z.discriminatedUnion("type", [
  /** `dir` is relative to the workspace root, `.` for the root itself. */
  z.object({ type: z.literal("command"), command: z.string(), dir: z.string(), truncated }),
  /** `diff` is a unified diff made before asking. */
  z.object({ type: z.literal("edit"), path: z.string(), diff: z.string(), truncated }),
  /** `before` is what the action would change, in its current state: one record or a list. */
  z.object({
    type: z.literal("action"),
    name: z.string(),
    input: z.unknown(),
    before: z.unknown().optional(),
    truncated,
  }),
  /** The run's budget: what it may spend so far and what it has spent, in US dollars as exact decimal strings. */
  z.object({ type: z.literal("budget"), limitUsd: z.string(), spentUsd: z.string(), truncated }),
  /** A plan, which is never cut. Allowing it ends plan mode and allows nothing else. */
  z.object({ type: z.literal("plan"), markdown: z.string(), truncated }),
]);
export type PermissionSubject = z.infer<typeof PermissionSubject>;

/** One button of a request. For `allow_always` the label describes the rule it would create. */
export const PermissionOption = z.object({ decision: PermissionDecision, label: z.string() });
export type PermissionOption = z.infer<typeof PermissionOption>;

/** What a permission request says, in its event, in the answer of its route and in the store. */
export const REQUEST_FIELDS = {
  requestId: RequestId,
  tool: z.string(),
  kind: ToolKind,
  title: z.string(),
  subject: PermissionSubject,
  options: z.array(PermissionOption),
};

/** Body of the answer. `message` reaches the model with a reject; at most 4,000 UTF-16 units. */
export const PermissionAnswer = z.object({
  decision: PermissionDecision,
  message: z.string().trim().overwrite(wellFormed).max(4_000).optional(),
});
export type PermissionAnswer = z.infer<typeof PermissionAnswer>;

/** What a standing rule applies to. It is compared for equality, so that its label says everything it allows. */
export const RuleScope = z.discriminatedUnion("type", [
  z.object({ type: z.literal("action"), name: z.string() }),
  /** `dir` is relative to the workspace root and never the root itself. */
  z.object({ type: z.literal("edit"), dir: z.string() }),
  z.object({ type: z.literal("command"), command: z.string(), dir: z.string() }),
]);
export type RuleScope = z.infer<typeof RuleScope>;

/** A standing rule of a thread, as its route lists it. */
export const RuleView = z.object({ ruleId: RequestId, label: z.string(), createdAt: z.iso.datetime() });
export type RuleView = z.infer<typeof RuleView>;
