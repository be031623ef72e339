/** Under the dev command: who did not come through its own listener is answered by nobody. */
import { env } from "cloudflare:test";
import { describe, it } from "vitest";
import { runCron } from "../../../src/account/run-cron.ts";
import { askWith } from "../../support/workerd/ask-as-developer.ts";

const OURS = { FRONT_SECRET: "made-at-this-start" };
const REFUSED = "This port is internal to wrangler. Use the address that npm run dev printed.";

describe("a request around the dev command's listener", () => {
  it.for([
    ["GET", "/_framework/health"],
    ["GET", "/_framework/session"],
    ["POST", "/_framework/actions/add-stock"],
    ["POST", "/api/agent/turn"],
    ["GET", "/nowhere"],
  ] as const)("is refused at %s %s", async ([method, path], { expect }) => {
    const bare = await askWith(OURS, method, path);
    const guessed = await askWith(OURS, method, path, undefined, { "tally-front": "made-at-that-start" });
    expect([bare, guessed]).toMatchObject([
      { status: 403, body: { error: REFUSED } },
      { status: 403, body: { error: REFUSED } },
    ]);
  });
});

it("a request through it is answered", async ({ expect }) => {
  const headers = { "tally-front": OURS.FRONT_SECRET };
  expect(await askWith(OURS, "GET", "/_framework/session", undefined, headers)).toMatchObject({
    status: 200,
    body: { email: "dev@local.test" },
  });
});

it("the cron runs for the dev command alone, and for everybody where nothing is in front", async ({ expect }) => {
  const oldKeys = async (): Promise<number> => {
    const found = await env.DB.prepare("SELECT count(*) AS old FROM idempotency_keys WHERE key = 'of the cron'").first(
      "old",
    );
    return Number(found);
  };
  const addOldKey = () =>
    env.DB.prepare(
      "INSERT INTO idempotency_keys VALUES ('cron@tally.test', 'action', 'of the cron', 'hash', '{}', 0)",
    ).run();
  await addOldKey();
  await runCron({ ...env, ...OURS }, "* * * * *");
  expect(await oldKeys()).toBe(1);
  await runCron({ ...env, ...OURS }, OURS.FRONT_SECRET);
  expect(await oldKeys()).toBe(0);
  await addOldKey();
  await runCron(env, "* * * * *");
  expect(await oldKeys()).toBe(0);
});
