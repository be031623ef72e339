/** Going back in a chat of the agent SDK, and branching it: its own session goes on behind the message that is left (decision 0168). */
import { runInDurableObject } from "cloudflare:test";
import { it } from "vitest";
import { z } from "zod";
import { EARLIER_IS_GONE } from "../../../src/harness/turn-context.ts";
import { askAsDeveloper } from "../../support/workerd/ask-as-developer.ts";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { fileOf, host, lead, promptsIn, sdkSessionOf, sdkThread, sessionOf } from "../../support/workerd/sdk-thread.ts";

/** A chat after two turns. */
const twoTurns = async () => {
  const thread = sdkThread();
  await (await thread.start("[replay:two-turns] Hello")).handedOver();
  const second = await (await thread.start("What did I say?")).handedOver();
  return { ...thread, second };
};

it("goes on behind the turn that is left, and the next one behind that", async ({ expect }) => {
  const { threadId, start } = await twoTurns();
  expect(await lead(threadId, "rewind", 2)).toMatchObject({ status: 200 });
  const other = await (await start("Something else")).handedOver();
  expectWhole(other, "completed");
  expect(theOnly(other, "run_start").resumed).toBe(true);
  expect(kinds(other)).not.toContain("context_reset");
  expect(await fileOf(other)).toEqual(["two-turns", "1", "back:1", "1"]);
  const next = await (await start("And now?")).handedOver();
  expect(await fileOf(next)).toEqual(["two-turns", "1", "back:1", "1", "2"]);
});

it("begins anew before the first turn, under the same name, with nothing left on the host", async ({ expect }) => {
  const { threadId, start, second } = await twoTurns();
  const before = await sdkSessionOf(second);
  await lead(threadId, "rewind", 1);
  const again = await (await start("[replay:two-turns] Hello again")).handedOver();
  expectWhole(again, "completed");
  expect(theOnly(again, "run_start").resumed).toBe(false);
  expect(theOnly(again, "message_end").text).toBe("Hello there.");
  expect(await sdkSessionOf(again)).toBe(before);
  expect(await fileOf(again)).toEqual(["two-turns"]);
});

it("goes back all the same when the first turn that tries cannot reach the host", async ({ expect }) => {
  const { threadId } = await twoTurns();
  await lead(threadId, "rewind", 2);
  const nobody = { url: "http://127.0.0.1:9", token: "none" };
  const away = await (await sdkThread(nobody, threadId).start("Something else")).handedOver();
  expect(theOnly(away, "run_end").status).toBe("failed");
  const next = await (await sdkThread(undefined, threadId).start("Something else")).handedOver();
  expect(await fileOf(next)).toEqual(["two-turns", "1", "back:1", "1"]);
});

it.for(["before openMessage", "after openMessage", "before closeMessage"] as const)(
  "goes back once more when the run dies %s of the first answer there",
  async (point, { expect }) => {
    const { threadId, start } = await twoTurns();
    await lead(threadId, "rewind", 2);
    planCrashes(threadId, [point]);
    const other = await (await start("Something else")).handedOver();
    await died(threadId);
    expectWhole(other, "completed");
    expect(ofType(other, "message_end")).toHaveLength(1);
    expect(await fileOf(other)).toEqual(["two-turns", "1", "back:1", "1", "back:1", "1"]);
    expect(await fileOf(await (await start("And now?")).handedOver())).toHaveLength(7);
  },
);

it("says so where the session does not have that place any more, and begins without the earlier conversation", async ({
  expect,
}) => {
  const { threadId, start, second } = await twoTurns();
  await lead(threadId, "rewind", 2);
  await runInDurableObject(sessionOf(second), (_, { storage }) =>
    storage.sql.exec(
      "UPDATE block SET body = json_set(body, '$.place', ?) WHERE role = 'assistant'",
      crypto.randomUUID(),
    ),
  );
  const other = await (await start("[replay:two-turns] Something else")).handedOver();
  expectWhole(other, "completed");
  expect(theOnly(other, "context_reset").reason).toContain("does not have the place");
  expect(await fileOf(other)).toEqual(["two-turns"]);
});

it.for(["rewind", "fork"] as const)(
  "says so after a %s where nothing that is left was answered, and begins without it",
  async (how, { expect }) => {
    const { threadId, start, second } = await twoTurns();
    // As a first turn leaves it that is stopped before its answer.
    await runInDurableObject(sessionOf(second), (_, { storage }) =>
      storage.sql.exec("DELETE FROM block WHERE message = 1 AND id < (SELECT max(id) FROM block)"),
    );
    const { body } = await lead(threadId, how, 2);
    const branch = z.object({ threadId: z.string() }).safeParse(body).data?.threadId;
    const begin = branch === undefined ? start : sdkThread(undefined, branch).start;
    const other = await (await begin("[replay:two-turns] Something else")).handedOver();
    expectWhole(other, "completed");
    expect(theOnly(other, "context_reset").reason).toContain("does not have the place");
    expect(await promptsIn(other)).toEqual([expect.stringContaining(EARLIER_IS_GONE)]);
    expect(await fileOf(other)).toEqual(["two-turns"]);
    expect(kinds(await (await begin("What did I say?")).handedOver())).not.toContain("context_reset");
  },
);

it("a branch has a session of its own, which goes on when the original and its file are gone", async ({ expect }) => {
  const { threadId, second } = await twoTurns();
  const { body } = await lead(threadId, "fork", 2);
  const branch = z.object({ threadId: z.string() }).parse(body).threadId;
  const original = await sdkSessionOf(second);
  await askAsDeveloper("DELETE", `/_framework/threads/${threadId}`);
  await host().deleteSessions([original]);
  const first = await (await sdkThread(undefined, branch).start("Something else")).handedOver();
  expectWhole(first, "completed");
  expect(theOnly(first, "run_start").resumed).toBe(true);
  expect(await sdkSessionOf(first)).not.toBe(original);
  expect(await fileOf(first)).toEqual(["two-turns", "1", "back:1", "1"]);
});
