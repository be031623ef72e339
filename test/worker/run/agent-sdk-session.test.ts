/** The SDK's session file: a copy is kept with the thread, and put back where the host has lost it (decision 0099). */
import { env, runInDurableObject } from "cloudflare:test";
import { inject, it } from "vitest";
import { AgentHost } from "../../../src/harness/agent-sdk/agent-host.ts";
import { SdkFacts } from "../../../src/harness/agent-sdk/sdk-turn-state.ts";
import { EARLIER_IS_GONE } from "../../../src/harness/turn-context.ts";
import { postToHost } from "../../../src/workspace/host/host-post.ts";
import { HostWorkspace } from "../../../src/workspace/host/host-workspace.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { host, promptsIn, sdkSessionOf, sdkThread, sessionOf } from "../../support/workerd/sdk-thread.ts";

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
    /** Leaves a file there that goes on otherwise, and for longer, as on a machine that the thread was on before. */
    leaveOther: async () => {
      const other = `\n{"type":"summary","summary":"${"x".repeat(whole.byteLength)}"}\n`;
      await host.restoreSession(sessionId, 0, whole.slice(0, whole.byteLength / 2));
      await host.restoreSession(
        sessionId,
        Math.floor(whole.byteLength / 2),
        Uint8Array.from(new TextEncoder().encode(other)),
      );
    },
    /** Whether the host has the thread's own file, which has grown since. */
    hasOwn: async () => {
      const { bytes } = await host.readSession(sessionId, 0);
      return whole.every((byte, at) => byte === bytes[at]);
    },
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

it("a host whose file is longer and another one gets the thread's own", async ({ expect }) => {
  const { thread, leaveOther, hasOwn } = await lostThread();
  await leaveOther();
  expect(await hasOwn()).toBe(false);
  const events = await (await thread.start("What did I say?")).events();
  expectWhole(events, "completed");
  expect(theOnly(events, "message_end").text).toBe("You said hello.");
  expect(await hasOwn()).toBe(true);
});

it("where the copy is gone too, the agent begins again and the transcript says so", async ({ expect }) => {
  const { thread, session } = await lostThread();
  await runInDurableObject(session, (_, { storage }) => void storage.sql.exec("DELETE FROM file_copy"));
  const events = await (await thread.start("[replay:two-turns] Hello again")).events();
  expectWhole(events, "completed");
  expect(theOnly(events, "context_reset").reason).toContain("session file is gone");
  const [prompt] = await promptsIn(events);
  expect(prompt).toContain(EARLIER_IS_GONE);
  expect(prompt).not.toContain("storage without a machine");
  expect(theOnly(events, "message_end").text).toBe("Hello there.");
  const next = await (await thread.start("What did I say?")).events();
  expect(theOnly(next, "message_end").text).toBe("You said hello.");
});

/** A thread that asks about a command in its second turn, and how to lose that turn's file. */
const askingThread = async () => {
  const thread = sdkThread();
  const first = await thread.start("[hang:told]");
  await first.eventsUntil("model_retry");
  await first.abort();
  const told = await first.handedOver();
  const sql = (query: string) =>
    runInDurableObject(sessionOf(told), (_, { storage }) =>
      storage.sql
        .exec<{ size: number }>(query)
        .toArray()
        .map(({ size }) => size),
    );
  const sessionId = await sdkSessionOf(told);
  const run = await thread.start("[replay:commands] Run them");
  await run.eventsUntil("permission_request");
  return {
    run,
    /** How long the file and its copy are. */
    sizes: async () => {
      const { size } = await host().readSession(sessionId, 0);
      return [size, ...(await sql("SELECT sum(length(bytes)) AS size FROM file_copy"))];
    },
    /** Leaves the copy of the first turn. */
    forgetCopy: () => sql("DELETE FROM file_copy WHERE start > 0"),
    loseFile: () => host().deleteSessions([sessionId]),
  };
};

it("a call that was allowed runs when its file was lost and the copy has it", async ({ expect }) => {
  const { run, sizes, loseFile } = await askingThread();
  await expect.poll(async () => new Set(await sizes()).size).toBe(1);
  await loseFile();
  const { seq } = await run.decideNext(0, "allow_once");
  const next = await run.decideNext(seq, "reject");
  await run.decideNext(next.seq, "reject");
  const events = await run.events();
  expectWhole(events, "completed");
  expect(ofType(events, "tool_end").map(({ status }) => status)).toEqual(["completed", "denied", "denied"]);
});

it("where the copy is older than the call, the agent is told the prompt again and what was answered", async ({
  expect,
}) => {
  const { run, sizes, forgetCopy, loseFile } = await askingThread();
  await expect.poll(async () => new Set(await sizes()).size).toBe(1);
  await forgetCopy();
  await loseFile();
  await run.decideNext(0, "reject", "[replay:two-turns] Say hello instead");
  const events = await run.handedOver();
  expectWhole(events, "completed");
  expect(ofType(events, "tool_end")).toMatchObject([{ toolCallId: "1-0", status: "denied" }]);
  expect(ofType(events, "context_reset")).toEqual([]);
  expect(await promptsIn(events)).toEqual([
    expect.stringContaining("[hang:told]"),
    expect.stringMatching(/Run them.*Bash \(toolu_pwd\), denied: .*Say hello instead/s),
  ]);
});
