/** The SDK's session file: a copy is kept with the thread, and put back where the host has lost it (decision 0099). */
import { env, runInDurableObject } from "cloudflare:test";
import { inject, it } from "vitest";
import { AgentHost } from "../../../src/harness/agent-sdk/agent-host.ts";
import { SdkFacts } from "../../../src/harness/agent-sdk/sdk-turn-state.ts";
import { postToHost } from "../../../src/workspace/host/host-post.ts";
import { HostWorkspace } from "../../../src/workspace/host/host-workspace.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { sdkThread } from "../../support/workerd/sdk-thread.ts";

/** A thread after one turn, whose file the host has lost. */
const lostThread = async () => {
  const thread = sdkThread();
  const first = await (await thread.start("[replay:two-turns] Hello")).handedOver();
  const session = env.SESSIONS.getByName(theOnly(first, "run_start").sessionId);
  const stored = await runInDurableObject(session, (_, { storage }) =>
    storage.sql.exec<{ body: string }>("SELECT body FROM facts").one(),
  );
  const address = inject("harnessHost");
  const host = new AgentHost(postToHost(address), new HostWorkspace(address));
  const { sessionId } = SdkFacts.parse(JSON.parse(stored.body));
  const whole = (await host.readSession(sessionId, 0)).bytes;
  await host.deleteSessions([sessionId]);
  return {
    thread,
    session,
    restoreHalf: () => host.restoreSession(sessionId, 0, whole.slice(0, whole.byteLength / 2)),
  };
};

it("a host that has lost the file gets it back, and the thread goes on", async ({ expect }) => {
  const { thread } = await lostThread();
  const events = await (await thread.start("What did I say?")).events();
  expectWhole(events, "completed");
  expect(theOnly(events, "run_start").resumed).toBe(true);
  expect(theOnly(events, "message_end").text).toBe("You said hello.");
  expect(kinds(events)).not.toContain("context_reset");
});

it("a host that got back a part of the file gets the whole of it", async ({ expect }) => {
  const { thread, restoreHalf } = await lostThread();
  await restoreHalf();
  const events = await (await thread.start("What did I say?")).events();
  expectWhole(events, "completed");
  expect(theOnly(events, "message_end").text).toBe("You said hello.");
});

it("where the copy is gone too, the agent begins again and the transcript says so", async ({ expect }) => {
  const { thread, session } = await lostThread();
  await runInDurableObject(session, (_, { storage }) => void storage.sql.exec("DELETE FROM file_copy"));
  const events = await (await thread.start("[replay:two-turns] Hello again")).events();
  expectWhole(events, "completed");
  expect(theOnly(events, "context_reset").reason).toContain("session file is gone");
  expect(theOnly(events, "message_end").text).toBe("Hello there.");
  const next = await (await thread.start("What did I say?")).events();
  expect(theOnly(next, "message_end").text).toBe("You said hello.");
});
