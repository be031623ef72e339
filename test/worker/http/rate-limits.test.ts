/** How often an owner may ask (api.md §1), by the limiters that a deployed Worker has. On loopback the tests have them off. */
import { env } from "cloudflare:test";
import { describe, inject, it } from "vitest";
import { say } from "../../support/model-script.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { answerOf } from "../../support/workerd/answer.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { overRate } from "../../support/workerd/over-rate.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";

const TURN = "/api/agent/turn";
const LIST = "/_framework/actions/list-stocks";
const LIMITED = { status: 429, body: { error: "Too many requests. Try again later." } };

const post = (email: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetchAs(email, path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** Somebody who has asked for too many turns. The one that was started has a key; its model never answers. */
const overTurnRate = async () => {
  const client = somebody();
  const model = await scriptModel(inject("modelUrl"), [holdBefore(say("Never."))]);
  const turn = { threadId: "t", prompt: model.prompt("Hello") };
  const first = await answerOf(await post(client.email, TURN, turn, { "Idempotency-Key": "first" }));
  const refused = await overRate(env.TURN_RATE, client.email, () => post(client.email, TURN, turn));
  return { client, turn, first, refused };
};

describe("turns", () => {
  it("are refused with 429 and Retry-After once there are too many", async ({ expect }) => {
    const { refused } = await overTurnRate();
    expect(refused.headers.get("Retry-After")).toBe("60");
    expect(await answerOf(refused)).toEqual(LIMITED);
  });

  it("that were answered once are answered again; another one under their key is still 422", async ({ expect }) => {
    const { client, turn, first } = await overTurnRate();
    const key = { "Idempotency-Key": "first" };
    expect(first.status).toBe(200);
    expect(await answerOf(await post(client.email, TURN, turn, key))).toEqual(first);
    expect(await answerOf(await post(client.email, TURN, { ...turn, prompt: "Other" }, key))).toEqual({
      status: 422,
      body: { error: "Idempotency key was used with a different request." },
    });
  });

  it("are refused first for what is wrong with them: 429 comes last", async ({ expect }) => {
    const { client, turn } = await overTurnRate();
    const { email } = client;
    const statuses = [
      await post(email, TURN, {}),
      await post(email, TURN, turn, { origin: "https://evil.test" }),
      await post(email, TURN, turn, { "Idempotency-Key": "k".repeat(256) }),
      await post(email, TURN, { ...turn, threadId: "t".repeat(201) }),
      await post(email, TURN, { ...turn, prompt: "p".repeat(200_001) }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 403, 400, 400, 413]);
  });

  it("of one person do not count for another, nor for actions", async ({ expect }) => {
    const { client } = await overTurnRate();
    const other = somebody();
    const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
    const turn = { threadId: "t", prompt: model.prompt("Hello") };
    expect(await answerOf(await post(other.email, TURN, turn))).toMatchObject({ status: 200 });
    expect(await answerOf(await post(client.email, LIST, {}))).toMatchObject({ status: 200 });
  });
});

describe("actions", () => {
  it.for([
    ["GET", "list-stocks", undefined],
    ["POST", "list-stocks", {}],
    ["POST", "add-stock", { symbol: "AAPL" }],
    ["POST", "delete-stock", { ids: [] }],
  ] as const)(
    "are refused with 429 and Retry-After once there are too many: %s %s",
    async ([method, name, body], { expect }) => {
      const { email } = aPerson();
      const headers = { "content-type": "application/json" };
      const init = { method, ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }) };
      const refused = await overRate(env.ACTION_RATE, email, () => fetchAs(email, `/_framework/actions/${name}`, init));
      expect(refused.headers.get("Retry-After")).toBe("60");
      expect(await answerOf(refused)).toEqual(LIMITED);
      expect(await answerOf(await post(email, LIST, { q: 1 }))).toMatchObject({ status: 400 });
    },
  );
});

it("nothing is counted on loopback while the dev command has it off", async ({ expect }) => {
  const client = somebody();
  await overRate(env.ACTION_RATE, client.email, () => fetchAs(client.email, LIST));
  expect(await client.action("list-stocks", {})).toMatchObject({ total: 0 });
});
