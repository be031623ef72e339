/** Permission mode `allow-reads`: what a request shows, what can be answered, what a standing rule is (CONTRACT §4). */
import * as z from "zod";
import { RequestId } from "./ids.ts";
import { wellFormed } from "./well-formed.ts";

/** The one mode there is (spec §1.9): reads run, edits and commands ask. */
export const PermissionMode = z.literal("allow-reads");
export type PermissionMode = z.infer<typeof PermissionMode>;

/** What a tool does to the world. Anything but `read` asks. */
export const ToolKind = z.enum(["read", "edit", "execute"]);
export type ToolKind = z.infer<typeof ToolKind>;

/** What a person can answer. `allow_always` also makes a standing rule of the thread. */
export const PermissionDecision = z.enum(["allow_once", "allow_always", "reject"]);
export type PermissionDecision = z.infer<typeof PermissionDecision>;

/** How a request ended: a person's decision, or the system's when nobody decided. */
export const PermissionOutcome = z.enum([...PermissionDecision.options, "expired", "aborted"]);
export type PermissionOutcome = z.infer<typeof PermissionOutcome>;

/** Who ended a request. */
export const DecidedBy = z.enum(["user", "rule", "system"]);
export type DecidedBy = z.infer<typeof DecidedBy>;

/** Present, and true, where a long string was cut to keep the frame under 64 KB; the request's own route has it whole. */
const truncated = z.boolean().optional();

/** What would happen, exactly as it would happen: the stored input is what runs. */
export const PermissionSubject = z.discriminatedUnion("type", [
  /** `dir` is relative to the workspace root, `.` for the root itself. */
  z.object({ type: z.literal("command"), command: z.string(), dir: z.string(), truncated }),
  /** `diff` is a unified diff made before asking. */
  z.object({ type: z.literal("edit"), path: z.string(), diff: z.string(), truncated }),
  /** `before` is what the action would change, as it stands: one record or a list. */
  z.object({
    type: z.literal("action"),
    name: z.string(),
    input: z.unknown(),
    before: z.unknown().optional(),
    truncated,
  }),
  /** The run's budget: what it may spend so far and what it has spent, in US dollars as exact decimal strings. */
  z.object({ type: z.literal("budget"), limitUsd: z.string(), spentUsd: z.string(), truncated }),
]);
export type PermissionSubject = z.infer<typeof PermissionSubject>;

/** One button of a request. For `allow_always` the label words the rule it would make. */
export const PermissionOption = z.object({ decision: PermissionDecision, label: z.string() });
export type PermissionOption = z.infer<typeof PermissionOption>;

/** Body of the answer. `message` reaches the model with a reject; at most 4,000 UTF-16 units. */
export const PermissionAnswer = z.object({
  decision: PermissionDecision,
  message: z.string().trim().overwrite(wellFormed).max(4_000).optional(),
});
export type PermissionAnswer = z.infer<typeof PermissionAnswer>;

/** Where a standing rule holds. It is matched by equality, so that its label says all it allows. */
export const RuleScope = z.discriminatedUnion("type", [
  z.object({ type: z.literal("action"), name: z.string() }),
  /** `dir` is relative to the workspace root and never the root itself. */
  z.object({ type: z.literal("edit"), dir: z.string() }),
  z.object({ type: z.literal("command"), command: z.string(), dir: z.string() }),
]);
export type RuleScope = z.infer<typeof RuleScope>;

/** A standing permission of a thread, as its route lists it. */
export const RuleView = z.object({ ruleId: RequestId, label: z.string(), createdAt: z.iso.datetime() });
export type RuleView = z.infer<typeof RuleView>;
