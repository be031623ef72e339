/** Requests about a turn that two chats list: a branch has those of the chat that it branches off. */
import { afterEach, expect, it, vi } from "vitest";
import { forkThread } from "../../../../../src/ui/agent/conversation/lead/lead-requests.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("a branch of another chat is not asked for under the key of one whose answer was lost", async () => {
  const keys: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_: string, { headers }: RequestInit) => {
    keys.push(new Headers(headers).get("idempotency-key"));
    if (keys.length === 1) throw new TypeError("Failed to fetch");
    return Response.json({ threadId: "new" }, { status: 201 });
  });
  await expect(forkThread("first", "r1")).rejects.toThrow();
  expect(await forkThread("its branch", "r1")).toBe("new");
  expect(await forkThread("first", "r1")).toBe("new");
  const [lost, other, again] = keys;
  expect(other).not.toBe(lost);
  expect(again).toBe(lost);
});
