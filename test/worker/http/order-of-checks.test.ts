/** What every route checks, and in which order (api.md §1): the routes of api.md §2, asked in every wrong way. */
import { describe, inject, it } from "vitest";
import { say } from "../../support/model-script.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { answerOf, STOPPED_OR_STOPPING } from "../../support/workerd/answer.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { signIn } from "../../support/workerd/sign-in.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import { ACTIONS, CHANGES as ALL_CHANGES, AUTH_READS, READS, RUN, TURN } from "./every-route.ts";

const PERMISSION = `${RUN}/permissions/5f3c2f6e-3f0b-4a52-8a0b-7b9f8f7a1d22`;
const THREAD = "/_framework/threads/some%2Fthread";

/** Method and path; health, which needs no sign-in, has its own tests. */
const CALLS = [
  ...READS.map((path) => ["GET", path] as const),
  ...ALL_CHANGES.map(([path, method]) => [method, path] as const),
];
const ROUTES = [...Map.groupBy(CALLS, ([, path]) => path.replace(/\?.*/, ""))].map(([path, calls]) => ({
  path,
  methods: calls.map(([method]) => method).toSorted(),
}));
const CHANGES = CALLS.filter(([method]) => method !== "GET");
/** The turn start has its own order: `turn-start.test.ts`. */
const OTHER_CHANGES = CHANGES.filter(([, path]) => path !== TURN);
/** Without the key of a source, which the source itself judges: `prices/keys.test.ts`. */
const SOUND = ALL_CHANGES.filter(([, , , status]) => status !== null).map(
  ([path, method, body, status]) => [method, path, status, body] as const,
);
const WITH_BODY = OTHER_CHANGES.filter(([method]) => method !== "DELETE");

const NOT_FOUND = { status: 404, body: { error: "Not found." } };
const NOT_ALLOWED = { status: 405, body: { error: "Method not allowed." } };
const CROSS_SITE = { status: 403, body: { error: "Cross-site requests are refused." } };
const UNSIGNED = { status: 401, body: { error: "Sign in to run the agent." } };
const TOO_LARGE = { status: 413, body: { error: "Request is too large." } };
const NOT_JSON = { status: 415, body: { error: "Send JSON." } };

const ANN = `ann-${crypto.randomUUID()}@example.com`;
const FROM_ELSEWHERE = { origin: "https://evil.test", "sec-fetch-site": "cross-site" };
const TEXT = { "content-type": "text/plain" };
const LARGE = "x".repeat(1_100_000);

const send = async (email: string | null, method: string, path: string, init: RequestInit = {}) =>
  answerOf(await fetchAs(email, path, { method, ...init }));

describe("unknown routes come first", () => {
  it.for([
    ["GET", "/_framework"],
    ["GET", "/_framework/runs"],
    ["POST", "/api/agent"],
    ["POST", "/api/agent/turn/more"],
    ["GET", `${RUN}/nothing`],
    ["POST", `${RUN}/permissions`],
    ["DELETE", `${THREAD}/nothing`],
    ["POST", `${ACTIONS}/drop-stocks`],
    ["GET", ACTIONS],
  ] as const)("answers 404 to %s %s, also to nobody from another site", async ([method, path], { expect }) => {
    expect(await send(null, method, path, { headers: FROM_ELSEWHERE })).toEqual(NOT_FOUND);
    expect(await send(ANN, method, path)).toEqual(NOT_FOUND);
  });
});

describe("then the method", () => {
  it.for(ROUTES)(
    "answers 405 to OPTIONS of $path, naming $methods, also to nobody from another site",
    async ({ path, methods }, { expect }) => {
      const response = await fetchAs(null, path, {
        method: "OPTIONS",
        headers: { ...FROM_ELSEWHERE, ...TEXT },
        body: LARGE,
      });
      expect(await answerOf(response.clone())).toEqual(NOT_ALLOWED);
      expect(response.headers.get("Allow")?.split(", ").toSorted()).toEqual(methods);
    },
  );

  it.for(AUTH_READS)("answers HEAD of the sign-in's %s like GET (api.md §1)", async (name, { expect }) => {
    const { ask, openOrganization } = await signIn();
    await openOrganization();
    const { status } = await ask("GET", `/_framework/auth/${name}`);
    expect(await ask("HEAD", `/_framework/auth/${name}`)).toEqual({ status, body: null });
  });

  it("answers 405 to all but a read of the page of a chat", async ({ expect }) => {
    const answers = [];
    for (const method of ["POST", "PUT", "DELETE"]) answers.push(await fetchAs(null, "/t/first", { method }));
    expect(answers.map(({ status, headers }) => [status, headers.get("Allow")])).toEqual(
      answers.map(() => [405, "GET"]),
    );
    expect((await fetchAs(null, "/t/first", { method: "HEAD" })).status).toBe(200);
  });

  it("answers 405 to HEAD of an event stream, also to nobody (api.md §2)", async ({ expect }) => {
    const signed = await fetchAs(ANN, `${RUN}/events`, { method: "HEAD" });
    const unsigned = await fetchAs(null, `${RUN}/events`, { method: "HEAD" });
    expect([signed.status, signed.headers.get("Allow")]).toEqual([405, "GET"]);
    expect([unsigned.status, unsigned.headers.get("Allow")]).toEqual([405, "GET"]);
  });
});

describe("then the site", () => {
  it.for(OTHER_CHANGES)(
    "answers 403 to %s %s from another site, also to nobody",
    async ([method, path], { expect }) => {
      const init = { headers: { ...FROM_ELSEWHERE, ...TEXT }, body: LARGE };
      expect(await send(null, method, path, init)).toEqual(CROSS_SITE);
      expect(await send(ANN, method, path, init)).toEqual(CROSS_SITE);
    },
  );

  it.for([{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }, { origin: "https://evil.test" }])(
    "refuses a change that says %o",
    async (headers, { expect }) => {
      expect(await send(ANN, "POST", `${RUN}/abort`, { headers })).toEqual(CROSS_SITE);
    },
  );

  it.for([{ "sec-fetch-site": "none" }, { "sec-fetch-site": "same-origin" }, { origin: "https://tally.test" }])(
    "lets a change pass that says %o",
    async (headers, { expect }) => {
      expect(await send(ANN, "POST", `${RUN}/abort`, { headers })).toMatchObject({ status: 404 });
    },
  );

  it("lets reads pass from anywhere", async ({ expect }) => {
    expect(await send(ANN, "GET", "/_framework/threads", { headers: FROM_ELSEWHERE })).toMatchObject({ status: 200 });
    expect(await send(ANN, "GET", `${ACTIONS}/list-stocks`, { headers: FROM_ELSEWHERE })).toMatchObject({
      status: 200,
    });
  });
});

describe("then who calls", () => {
  it.for(CALLS)("answers 401 to nobody's %s %s", async ([method, path], { expect }) => {
    expect(await send(null, method, path)).toEqual(UNSIGNED);
  });

  it.for(CHANGES)("answers 401 before 413 and 415 to nobody's %s %s", async ([method, path], { expect }) => {
    expect(await send(null, method, path, { headers: TEXT, body: LARGE })).toEqual(UNSIGNED);
  });
});

describe("then the body", () => {
  it.for(WITH_BODY)("answers 413 before 415 to %s %s", async ([method, path], { expect }) => {
    expect(await send(ANN, method, path, { headers: TEXT, body: LARGE })).toEqual(TOO_LARGE);
  });

  it.for(WITH_BODY)("answers 415 before 400 and 404 to %s %s", async ([method, path], { expect }) => {
    expect(await send(ANN, method, path, { headers: TEXT, body: "{" })).toEqual(NOT_JSON);
  });

  it.for([
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "Application/JSON",
    'application/json; a="b; c"',
  ])("takes the media type %s on every route", async (type, { expect }) => {
    const headers = { "content-type": type };
    const statuses = [
      await send(ANN, "POST", `${ACTIONS}/list-stocks`, { headers, body: "{}" }),
      await send(ANN, "PATCH", THREAD, { headers, body: '{"title":"New"}' }),
      await send(ANN, "POST", PERMISSION, { headers, body: '{"decision":"reject"}' }),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([200, 404, 404]);
  });

  it.for([
    ["POST", PERMISSION],
    ["PATCH", THREAD],
    ["POST", `${ACTIONS}/get-stock`],
  ] as const)("answers 400 before 404 to a bad body of %s %s", async ([method, path], { expect }) => {
    const headers = { "content-type": "application/json" };
    expect(await send(ANN, method, path, { headers, body: "{" })).toMatchObject({ status: 400 });
    expect(await send(ANN, method, path, { headers, body: "[]" })).toMatchObject({ status: 400 });
  });

  it.for(SOUND)(
    "does %s %s, or answers %s, with a body that is sound",
    async ([method, path, status, body], { expect }) => {
      const headers = { "content-type": "application/json" };
      expect(await send("ann@example.com", method, path, { headers, body })).toMatchObject({ status });
    },
  );

  it("needs neither body nor content type for an abort (api.md §2)", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [holdBefore(say("Never."))]);
    const client = somebody();
    const { runId } = await client.startTurn("t", model.prompt("Hello"));
    const answer = await send(client.email, "POST", `/_framework/runs/${runId}/abort`);
    expect(answer).toEqual({ status: 200, body: { ok: true, runId, status: STOPPED_OR_STOPPING } });
  });
});

describe("who the caller is (api.md §1)", () => {
  it("is told by the session route: e-mail in lower case, organization or null", async ({ expect }) => {
    const body = { email: ANN, authDisabled: false };
    const { session, openOrganization } = await signIn(ANN.replace("ann", "Ann").replace("example", "Example"));
    expect(await session()).toEqual({ status: 200, body: { ...body, orgId: null } });
    const orgId = await openOrganization();
    expect(await session()).toEqual({ status: 200, body: { ...body, orgId } });
  });
});

describe("what every answer carries", () => {
  it.for([
    ["200", "GET", "/_framework/session", {}],
    ["404 of no route", "GET", "/_framework/nowhere", {}],
    ["404 of an id", "GET", RUN, {}],
    ["405", "PUT", RUN, {}],
    ["403", "POST", `${RUN}/abort`, { headers: FROM_ELSEWHERE }],
    ["400", "GET", `${RUN}/events?after=x`, {}],
    ["413", "POST", `${RUN}/abort`, { body: LARGE }],
    ["415", "POST", `${RUN}/abort`, { headers: TEXT, body: "x" }],
  ] as const)("names the request in X-Request-Id: %s (api.md §1)", async ([, method, path, init], { expect }) => {
    const responses = [await fetchAs(ANN, path, { method, ...init }), await fetchAs(ANN, path, { method, ...init })];
    const ids = responses.map((response) => response.headers.get("X-Request-Id"));
    expect(ids).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it("names nobody's request, too, and that of a stream and of a 204 (api.md §1)", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
    const client = somebody();
    const turn = await client.startTurn("t", model.prompt("Hello"));
    const stream = await client.request(turn.events);
    await stream.text();
    const responses = [await fetchAs(null, RUN), stream, await client.request(`${turn.events}?after=999`)];
    expect(responses.map(({ status }) => status)).toEqual([401, 200, 204]);
    expect(responses.map(({ headers }) => headers.has("X-Request-Id"))).toEqual([true, true, true]);
  });
});
