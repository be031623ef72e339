/** Events made from stored parts: what a person is shown is either whole or said to be cut, and then never "for always". */
import { describe, expect, it } from "vitest";
import { HarnessSessionId, OwnerEmail, RequestId, RunId, ThreadId } from "../../../src/contract/ids.ts";
import type { PermissionSubject } from "../../../src/contract/permission.ts";
import { permissionAsk } from "../../../src/harness/permission-gate.ts";
import type { RunSpec } from "../../../src/run/run-spec.ts";
import { callEndEvent, isSubjectCut, requestEvent, userMessageEvent } from "../../../src/run/store/run-events.ts";
import type { PermissionRequest } from "../../../src/run/store/stored-request.ts";

const requestFor = (subject: PermissionSubject): PermissionRequest => {
  const { options, rule } = permissionAsk({ subject }, { mayBecomeRule: true, isCut: isSubjectCut(subject) });
  return {
    requestId: RequestId.parse("019a0000-0000-7000-8000-000000000001"),
    toolCallId: "1-0",
    tool: "run_shell",
    kind: "execute",
    title: "Run a command",
    subject,
    options: [...options],
    expiresAt: "2026-11-21T12:00:00.000Z",
    rule,
    reply: undefined,
  };
};

const command = (text: string): PermissionSubject => ({ type: "command", command: text, dir: "." });

describe("a request's event", () => {
  it("is the request without its rule and its reply", () => {
    const { rule: _, reply: __, ...shown } = requestFor(command("npm test"));
    expect(requestEvent(requestFor(command("npm test")))).toEqual({ type: "permission_request", ...shown });
  });

  it("of a subject that is cut offers no rule (api.md §4)", () => {
    const { options } = requestFor(command("x".repeat(70_000)));
    expect(options.map(({ decision }) => decision)).toEqual(["allow_once", "reject"]);
  });

  it.each([
    ["10,000 characters", "x".repeat(10_000), true],
    ["25,000 characters", "x".repeat(25_000), true],
    ["35,000 characters, which its label repeats", "x".repeat(35_000), false],
    ["58,000 characters, which its label repeats", "x".repeat(58_000), false],
    ["15,000 characters that JSON doubles", '"'.repeat(15_000), true],
  ])("shows a command of %s whole wherever it offers a rule for it", (_, text, isOffered) => {
    const request = requestFor(command(text));
    const offersRule = request.options.some(({ decision }) => decision === "allow_always");
    const isWhole = JSON.stringify(requestEvent(request)).includes(JSON.stringify(request.subject));
    expect({ offersRule, isWhole: isWhole || !offersRule }).toEqual({ offersRule: isOffered, isWhole: true });
  });
});

it("the prompt's event carries the prompt as it was sent", () => {
  const spec: RunSpec = {
    runId: RunId.parse("019a0000-0000-7000-8000-000000000002"),
    threadId: ThreadId.parse("t1"),
    sessionId: HarnessSessionId.parse("019a0000-0000-7000-8000-000000000003"),
    ownerEmail: OwnerEmail.parse("ann@example.com"),
    orgId: null,
    harness: "anthropic",
    workspaceDir: ".",
    permissionMode: "allow-reads",
    prompt: "What do I own?",
    createdAtMs: 1_000,
  };
  expect(userMessageEvent(spec, "m0")).toEqual({ type: "user_message", messageId: "m0", text: "What do I own?" });
});

describe("a call's end", () => {
  it("says that its output was not cut", () => {
    expect(callEndEvent("1-0", { status: "completed", output: "ok" }, 12)).toEqual({
      type: "tool_end",
      toolCallId: "1-0",
      status: "completed",
      output: "ok",
      truncated: false,
      durationMs: 12,
    });
  });

  it("says that its output was cut", () => {
    const event = callEndEvent("1-0", { status: "failed", output: "a".repeat(256_000) }, 12);
    expect(event).toMatchObject({ status: "failed", truncated: true, durationMs: 12 });
  });

  it("lasted no less than nothing, also when the clock went back", () => {
    expect(callEndEvent("1-0", { status: "completed", output: "" }, -5)).toMatchObject({ durationMs: 0 });
  });
});
