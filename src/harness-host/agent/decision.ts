/** What a hook answers about a call, in the SDK's words. */
import type { HookOutput } from "./sdk-module.ts";

export const decided = (permissionDecision: "allow" | "defer"): HookOutput => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision },
});

export const ALLOWED = decided("allow");

export const denied = (permissionDecisionReason: string): HookOutput => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason },
});

export const UNJUDGED = denied("Could not decide whether this call is allowed. Try again.");
