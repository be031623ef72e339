/** Attacks with somebody else's ids, on every route: each answers as if there were no such thing, and nothing has changed. */
import { afterAll, beforeAll, describe, it } from "vitest";
import { answerOf } from "../support/workerd/answer.ts";
import { fetchAs } from "../support/workerd/fetch-as.ts";
import { somebody } from "../support/workerd/somebody.ts";
import { aVictim, type Victim } from "../support/workerd/victim.ts";

const RUN = "/_framework/runs/<run>";
const PERMISSION = `${RUN}/permissions/<request>`;
const QUESTIONS = `${RUN}/questions/<request>`;
const THREAD = "/_framework/threads/<thread>";
const ACTIONS = "/_framework/actions";

const NO_RUN = { status: 404, body: { error: "Run not found." } };
const NO_THREAD = { status: 404, body: { error: "Thread not found." } };
const NO_STOCK = { status: 404, body: { error: "Stock not found." } };
const NO_TOTAL = {
  ...{ currency: "USD", value: null, cost: null, gain: null, gainPct: null, dayChange: null, dayChangePct: null },
  ...{ ratesOn: null, rates: {}, missing: [], pricedAsOf: null, staleCount: 0 },
};
const EMPTY_LIST = { status: 200, body: { items: [], total: 0, nextCursor: null, totals: [], base: NO_TOTAL } };

/** Method, path, body, answer. */
const ATTACKS = [
  ["GET", RUN, undefined, NO_RUN],
  ["GET", `${RUN}/events`, undefined, NO_RUN],
  ["GET", `${RUN}/events?after=999`, undefined, NO_RUN],
  ["GET", `${RUN}/prompt`, undefined, NO_RUN],
  ["POST", `${RUN}/abort`, undefined, NO_RUN],
  ["POST", `${RUN}/messages`, '{"text":"Sell all"}', NO_RUN],
  ["GET", PERMISSION, undefined, NO_RUN],
  ["POST", PERMISSION, '{"decision":"allow_once"}', NO_RUN],
  ["POST", PERMISSION, '{"decision":"reject"}', NO_RUN],
  ["GET", QUESTIONS, undefined, NO_RUN],
  ["POST", QUESTIONS, '{"answers":[["Yes"]]}', NO_RUN],
  ["PATCH", THREAD, '{"title":"Taken"}', NO_THREAD],
  ["DELETE", THREAD, undefined, NO_THREAD],
  ["GET", `${THREAD}/runs`, undefined, NO_THREAD],
  ["GET", `${THREAD}/rules`, undefined, NO_THREAD],
  ["POST", `${THREAD}/rewind`, '{"beforeRunId":"<run>"}', NO_THREAD],
  ["POST", `${THREAD}/fork`, '{"beforeRunId":"<run>"}', NO_THREAD],
  ["DELETE", `${THREAD}/rules/<rule>`, undefined, NO_THREAD],
  ["GET", "/_framework/threads", undefined, { status: 200, body: { threads: [], nextCursor: null } }],
  ["GET", `${ACTIONS}/get-stock?id=<stock>`, undefined, NO_STOCK],
  ["GET", `${ACTIONS}/get-stock?symbol=AAPL`, undefined, NO_STOCK],
  ["POST", `${ACTIONS}/get-stock`, '{"id":"<stock>"}', NO_STOCK],
  ["POST", `${ACTIONS}/update-stock`, '{"id":"<stock>","set":{"notes":"Taken"}}', NO_STOCK],
  ["POST", `${ACTIONS}/update-stock`, '{"id":"<stock>","restore":true}', NO_STOCK],
  ["POST", `${ACTIONS}/delete-stock`, '{"id":"<stock>"}', NO_STOCK],
  ["POST", `${ACTIONS}/delete-stock`, '{"ids":["<stock>"]}', { status: 200, body: { deleted: [] } }],
  ["GET", `${ACTIONS}/list-stocks`, undefined, EMPTY_LIST],
  ["POST", `${ACTIONS}/list-stocks`, '{"q":"AAPL"}', EMPTY_LIST],
  ["POST", `${ACTIONS}/list-stocks`, '{"deleted":true}', EMPTY_LIST],
] as const;

/** What only the Worker itself may say to a run's object, and what proxies say of the person they stand before. */
const POSING = [
  "X-Owner-Email",
  "X-Forwarded-User",
  "X-Forwarded-Email",
  "X-Auth-Request-Email",
  "Cf-Access-Authenticated-User-Email",
];

/** One for all attacks: none of them may change anything, which is what they are judged by. */
let victim: Victim;
const cleanUps: (() => unknown)[] = [];

beforeAll(async () => {
  victim = await aVictim((cleanUp) => void cleanUps.push(cleanUp));
});

afterAll(() => Promise.all(cleanUps.map((cleanUp) => cleanUp())));

describe("a stranger", () => {
  it.for(ATTACKS)("gets nothing by %s %s %s", async ([method, path, body, answer], { expect }) => {
    const before = await victim.belongings();
    const init = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: victim.fill(body) };
    const response = await fetchAs(somebody().email, victim.fill(path), { method, ...init });
    expect(await answerOf(response)).toEqual(answer);
    expect(await victim.belongings()).toEqual(before);
  });

  it.for(POSING)("is nobody else by the header %s", async (name, { expect }) => {
    const { email } = somebody();
    const headers = { [name]: victim.client.email };
    const ask = async (path: string) => answerOf(await fetchAs(email, victim.fill(path), { headers }));
    expect(await ask(`${RUN}/events`)).toEqual(NO_RUN);
    expect(await ask(RUN)).toEqual(NO_RUN);
    expect(await ask(`${ACTIONS}/list-stocks`)).toEqual(EMPTY_LIST);
    expect(await ask("/_framework/session")).toMatchObject({ body: { email } });
  });

  it("is nobody else by fields of a body or of a query", async ({ expect }) => {
    const before = await victim.belongings();
    const stranger = somebody();
    const ownerEmail = victim.client.email;
    const unknown = { status: 400, body: { error: "ownerEmail: unknown field, leave it out" } };
    expect(await stranger.ask("POST", `${ACTIONS}/list-stocks`, { ownerEmail })).toEqual(unknown);
    expect(await stranger.ask("GET", `${ACTIONS}/list-stocks?ownerEmail=${ownerEmail}`)).toEqual(unknown);
    expect(await stranger.ask("POST", `${ACTIONS}/add-stock`, { symbol: "TSLA", ownerEmail })).toEqual(unknown);
    expect(await victim.belongings()).toEqual(before);
  });

  it("shows the agent nothing by looking at somebody's stock on the own screen", async ({ expect }) => {
    const stranger = somebody();
    const id = victim.fill("<stock>");
    const screen = { view: "stocks", path: "/stocks", stockId: id, dialog: "detail", selectedIds: [id] };
    await stranger.ask("POST", `${ACTIONS}/set-navigation`, screen);
    const seen = await stranger.ask("GET", `${ACTIONS}/view-screen`);
    expect(seen).toMatchObject({ status: 200, body: { visible: [], selected: [] } });
    expect(JSON.stringify(seen)).not.toMatch(/AAPL|Mine alone/);
  });

  it("cannot use somebody's idempotency key to read the answer it got", async ({ expect }) => {
    const write = { symbol: "NVDA", notes: "Mine too", idempotencyKey: "shared" };
    const own = await victim.client.action("add-stock", write);
    const other = await somebody().ask("POST", `${ACTIONS}/add-stock`, write);
    expect(other.status).toBe(200);
    expect(Object(other.body).stock.id).not.toBe(Object(own).stock.id);
  });
});
