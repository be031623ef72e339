/** Attacks by the shape of a request: its headers, method, media type, address and cursor. */
import { describe, it } from "vitest";
import { answerOf } from "../support/workerd/answer.ts";
import { fetchAs } from "../support/workerd/fetch-as.ts";
import { aPerson } from "../support/workerd/stocks-client.ts";
import { ACTIONS, AUTH_CHANGES, CHANGES, RUN, TURN } from "./http/every-route.ts";

const SESSION = "/_framework/session";
const TURN_BODY = '{"threadId":"t","prompt":"Hello"}';

const JSON_TYPE = { "content-type": "application/json" };
const CROSS_SITE = { status: 403, body: { error: "Cross-site requests are refused." } };
const NOT_FOUND = { status: 404, body: { error: "Not found." } };
const NO_RUN = { status: 404, body: { error: "Run not found." } };
const NOT_JSON = { status: 415, body: { error: "Send JSON." } };
const UNSIGNED = { status: 401, body: { error: "Sign in to run the agent." } };
const REQUIRED = { status: 400, body: { error: "threadId and prompt are required." } };

const { email } = aPerson();
const send = async (path: string, init: RequestInit = {}) => answerOf(await fetchAs(email, path, init));

const ALL = [...CHANGES, ...AUTH_CHANGES.map((name) => [`/_framework/auth/${name}`, "POST", "{}"] as const)];

describe("a page of another site", () => {
  it.for(ALL)("cannot have %s changed by %s, whatever the headers say", async ([path, method, body], { expect }) => {
    const ask = (headers: Record<string, string>) =>
      send(path, { method, body, headers: { ...JSON_TYPE, ...headers } });
    expect(await ask({ origin: "https://evil.test" })).toEqual(CROSS_SITE);
    expect(await ask({ origin: "https://evil.test", "x-forwarded-host": "evil.test" })).toEqual(CROSS_SITE);
    expect(await ask({ origin: "https://tally.test.evil.test" })).toEqual(CROSS_SITE);
    expect(await ask({ origin: "https://tally.test@evil.test" })).toEqual(CROSS_SITE);
    expect(await ask({ origin: "null" })).toEqual(CROSS_SITE);
    expect(await ask({ origin: "https://tally.test, https://evil.test" })).toEqual(CROSS_SITE);
    expect(await ask({ "sec-fetch-site": "same-site" })).toEqual(CROSS_SITE);
    expect(await ask({ "sec-fetch-site": "same-origin, cross-site" })).toEqual(CROSS_SITE);
    expect(await ask({ "sec-fetch-site": "SAME-ORIGIN" })).toEqual(CROSS_SITE);
  });

  it("cannot have a form sent, which needs no leave of ours", async ({ expect }) => {
    const form = (type: string) =>
      send(`${ACTIONS}/add-stock`, { method: "POST", body: "{}", headers: { "content-type": type } });
    expect(await form("application/x-www-form-urlencoded")).toEqual(NOT_JSON);
    expect(await form("multipart/form-data; boundary=x")).toEqual(NOT_JSON);
    expect(await form("text/plain")).toEqual(NOT_JSON);
  });
});

describe("a method that is not what it looks like", () => {
  it.for(["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "_method"])(
    "stays what it is: %s",
    async (name, { expect }) => {
      const headers = { ...JSON_TYPE, [name]: "DELETE" };
      expect(await send("/_framework/threads/t", { method: "POST", headers, body: "{}" })).toMatchObject({
        status: 405,
      });
      expect(await send(`${ACTIONS}/list-stocks?_method=DELETE`, { headers })).toMatchObject({ status: 400 });
    },
  );

  it.for(["add-stock", "update-stock", "delete-stock", "set-navigation"])(
    "does not write by a link to %s",
    async (name, { expect }) => {
      const statuses = [
        await send(`${ACTIONS}/${name}?symbol=AAPL`),
        await send(`${ACTIONS}/${name}`, { method: "PUT" }),
      ];
      expect(statuses.map(({ status }) => status)).toEqual([405, 405]);
      expect((await fetchAs(email, `${ACTIONS}/${name}`, { method: "HEAD" })).status).toBe(405);
    },
  );

  it.for(["PROPFIND", "QUERY", "post"])("is 405 when nobody knows it: %s", async (method, { expect }) => {
    expect(await send(SESSION, { method })).toEqual({ status: 405, body: { error: "Method not allowed." } });
  });
});

describe("a media type that is nearly JSON", () => {
  it.for([
    ...["application/jsonp", "application/x-json", "text/json", "json", "application/json-seq"],
    ...["text/plain; application/json", "application/json, text/plain", "application / json"],
  ])("is not JSON: %s", async (type, { expect }) => {
    const init = (body: string) => ({ method: "POST", body, headers: { "content-type": type } });
    expect(await send(`${ACTIONS}/list-stocks`, init("{}"))).toEqual(NOT_JSON);
    expect(await send(TURN, init(TURN_BODY))).toEqual(REQUIRED);
  });
});

describe("an address that is nearly a route", () => {
  it.for([
    ...[
      "/_framework/session/",
      "/_framework//session",
      "//_framework/session",
      "/_FRAMEWORK/session",
      "/_framework/Session",
    ],
    ...["/_framework%2Fsession", "/%5fframework/sess%69on/", "/_framework/session;.css", "/_framework/session.json"],
    ...[
      "/_framework/session%00",
      "/_framework/session%20",
      "/_framework/session%0d%0aSet-Cookie:a=b",
      "/_framework\\session%5c",
    ],
    ...[
      "/_framework/actions/list-stocks/",
      "/_framework/actions/../actions/drop-stocks",
      "/_framework/actions/__proto__",
    ],
    ...["/_framework/actions/constructor", "/_framework/actions/toString", "/_framework/%2e%2e%2fwrangler.toml"],
    ...[
      "/.dev.vars",
      "/wrangler.toml",
      "/src/worker.ts",
      "/_headers",
      "/.git/config",
      "/api/agent/turn/",
      "/api/agent/turn%3f",
    ],
  ])("is no route: %s", async (path, { expect }) => {
    expect(await send(path)).toEqual(NOT_FOUND);
    expect(await send(path, { method: "POST", body: "{}", headers: JSON_TYPE })).toEqual(NOT_FOUND);
  });

  it("is the route that it resolves to, with all its checks", async ({ expect }) => {
    const response = await fetchAs(null, "/_framework/actions/%2e%2e/session");
    expect(await answerOf(response)).toEqual(UNSIGNED);
  });

  it.for(["X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Uri"])(
    "is not told by the header %s",
    async (name, { expect }) => {
      expect(await answerOf(await fetchAs(null, "/_framework/health", { headers: { [name]: SESSION } }))).toMatchObject(
        {
          body: { ok: true },
        },
      );
      expect(await answerOf(await fetchAs(null, SESSION, { headers: { [name]: "/_framework/health" } }))).toEqual(
        UNSIGNED,
      );
    },
  );

  it.for([
    "..%2F..%2Fsession",
    "%2e%2e%2fsession",
    "%00",
    "%ff",
    "__proto__",
    "%F0%9F%92%A5",
    "a%0d%0ab",
    "'%20OR%201=1--",
  ])("is a thread that nobody has: %s", async (id, { expect }) => {
    const answers = [await send(`/_framework/threads/${id}/runs`), await send(`/_framework/threads/${id}/rules`)];
    expect(answers.map(({ body }) => body)).toEqual([{ error: "Thread not found." }, { error: "Thread not found." }]);
  });
});

/** A cursor of the thread lists that says what we like. */
const pageCursor = (content: unknown) => btoa(JSON.stringify(content)).replace(/=+$/, "");

describe("a cursor that was made up", () => {
  it.for([
    "-1",
    "+1",
    "1e3",
    "0x10",
    "1.0",
    "%201",
    "1%20",
    "\uFF11",
    "1234567890123456",
    "NaN",
    "null",
    "1,2",
    "1;2",
    "%00",
  ])("is refused by an event stream: %s", async (cursor, { expect }) => {
    const invalid = { status: 400, body: { error: "Invalid event cursor." } };
    expect(await send(`${RUN}/events?after=${cursor}`)).toEqual(invalid);
    expect(await send(`${RUN}/events?after=0`)).toEqual(NO_RUN);
  });

  it.for(["-1", "1, 2", "0x1", "1e1"])(
    "is refused as Last-Event-ID, whatever the address says: %s",
    async (cursor, { expect }) => {
      const headers = { "last-event-id": cursor };
      expect(await send(`${RUN}/events?after=0`, { headers })).toEqual({
        status: 400,
        body: { error: "Invalid event cursor." },
      });
    },
  );

  it.for([
    "x",
    "%00",
    pageCursor({}),
    pageCursor([]),
    pageCursor([1]),
    pageCursor(["1", "a"]),
    pageCursor([1.5, "a"]),
    pageCursor([null, null]),
  ])("is refused by the thread lists: %s", async (cursor, { expect }) => {
    const invalid = { status: 400, body: { error: "cursor: use the nextCursor of an earlier answer." } };
    expect(await send(`/_framework/threads?cursor=${cursor}`)).toEqual(invalid);
    expect(await send(`/_framework/threads/t/runs?cursor=${cursor}`)).toEqual(invalid);
  });

  it("is data to the database", async ({ expect }) => {
    const cursor = pageCursor([9_007_199_254_740_991, "'; DROP TABLE threads; --"]);
    expect(await send(`/_framework/threads?cursor=${cursor}`)).toEqual({
      status: 200,
      body: { threads: [], nextCursor: null },
    });
  });

  it.for([
    "x",
    "e30",
    pageCursor(["0", "a", "b"]),
    pageCursor(["__proto__", null, "0b8d5f0e-3c55-4d8e-9a63-0d1f6f6f2c11"]),
  ])("is refused by list-stocks: %s", async (cursor, { expect }) => {
    expect(await send(`${ACTIONS}/list-stocks?cursor=${cursor}`)).toMatchObject({ status: 400 });
  });
});
