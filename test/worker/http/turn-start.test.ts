/** `POST /api/agent/turn`: who and what it refuses, word for word, and what it answers (api.md §1 and §2). */
import { env } from "cloudflare:test";
import { describe, inject, it } from "vitest";
import { TurnStartResponse } from "../../../src/contract/turn.ts";
import { say } from "../../support/model-script.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { answerOf } from "../../support/workerd/answer.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { signIn } from "../../support/workerd/sign-in.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const PATH = "/api/agent/turn";
const UNSIGNED = { status: 401, body: { error: "Sign in to run the agent." } };
const EMPTY = { status: 400, body: { error: "threadId and prompt are required." } };
const CROSS_SITE = { status: 403, body: { error: "Cross-site requests are refused." } };
const TOO_LARGE = { status: 413, body: { error: "Request is too large." } };

const VALID = JSON.stringify({ threadId: "t", prompt: "Hello" });
const JSON_TYPE = { "content-type": "application/json" };

const postRaw = async (email: string | null, body: BodyInit | null, headers: Record<string, string>) =>
  answerOf(await fetchAs(email, PATH, { method: "POST", body, headers }));

/** `text` as bytes: unlike a string, they bring no content type of their own. */
const bytes = (text: string) => new TextEncoder().encode(text);

describe("who may start a turn", () => {
  it.for([
    ["a sound request", VALID, JSON_TYPE],
    ["a body that is empty", "", {}],
    ["a body that is no JSON", "{", JSON_TYPE],
    ["a body of another media type", VALID, { "content-type": "text/plain" }],
    ["a request from another site", VALID, { ...JSON_TYPE, "sec-fetch-site": "cross-site" }],
    ["a body over 1 MB", "x".repeat(1_100_000), JSON_TYPE],
    ["a bad Idempotency-Key", VALID, { ...JSON_TYPE, "idempotency-key": "k".repeat(256) }],
  ] as const)("answers 401 to nobody, before anything else: %s (api.md §1)", async ([, body, headers], { expect }) => {
    expect(await postRaw(null, body, headers)).toEqual(UNSIGNED);
  });

  it("files the run under the caller's e-mail and organization, null without one (api.md §2)", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
    const client = somebody();
    const inOrganization = await signIn(client.email);
    const orgId = await inOrganization.openOrganization();
    const prompt = model.prompt("Hello");
    const within = await inOrganization.ask("POST", PATH, { threadId: "with", prompt });
    const alone = await client.startTurn("without", prompt);
    const rows = await env.DB.prepare(
      "SELECT run_id, owner_email, org_id FROM runs WHERE owner_email = ? ORDER BY org_id",
    )
      .bind(client.email)
      .all();
    expect(rows.results).toEqual([
      { run_id: alone.runId, owner_email: client.email, org_id: null },
      { run_id: TurnStartResponse.parse(within.body).runId, owner_email: client.email, org_id: orgId },
    ]);
  });
});

describe("what reads as empty", () => {
  it.for([
    ["no body", ""],
    ["no JSON", "{threadId"],
    ["an array", '[{"threadId":"t","prompt":"Hello"}]'],
    ["a number", "1"],
    ["null", "null"],
    ["a string", '"threadId"'],
    ["true", "true"],
    ["no fields", "{}"],
    ["no threadId", '{"prompt":"Hello"}'],
    ["no prompt", '{"threadId":"t"}'],
    ["an empty threadId", '{"threadId":"","prompt":"Hello"}'],
    ["a number as threadId", '{"threadId":1,"prompt":"Hello"}'],
    ["null as threadId", '{"threadId":null,"prompt":"Hello"}'],
    ["an array as threadId", '{"threadId":["t"],"prompt":"Hello"}'],
    ["an object as threadId", '{"threadId":{},"prompt":"Hello"}'],
    ["an empty prompt", '{"threadId":"t","prompt":""}'],
    ["a prompt of whitespace", '{"threadId":"t","prompt":" \\n\\t\\r\\u00a0\\u3000"}'],
    ["a boolean as prompt", '{"threadId":"t","prompt":true}'],
    ["null as prompt", '{"threadId":"t","prompt":null}'],
    ["an array as prompt", '{"threadId":"t","prompt":["Hello"]}'],
  ] as const)("answers 400 to %s (api.md §1)", async ([, body], { expect }) => {
    expect(await postRaw(somebody().email, body, JSON_TYPE)).toEqual(EMPTY);
  });

  it("answers 400 to a request without a body and without a content type (api.md §2)", async ({ expect }) => {
    expect(await postRaw(somebody().email, null, {})).toEqual(EMPTY);
  });

  it.for([
    ["no content type", {}],
    ["text", { "content-type": "text/plain" }],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }],
    ["a name that only begins like JSON's", { "content-type": "application/jsonp" }],
  ] as const)("answers 400 to a sound body sent with %s (api.md §1)", async ([, headers], { expect }) => {
    expect(await postRaw(somebody().email, bytes(VALID), headers)).toEqual(EMPTY);
  });

  it("answers 400 before 403 to an empty request from another site (api.md §1)", async ({ expect }) => {
    const headers = { ...JSON_TYPE, "sec-fetch-site": "cross-site" };
    expect(await postRaw(somebody().email, "{}", headers)).toEqual(EMPTY);
  });
});

describe("what else is refused", () => {
  it.for([
    ["Sec-Fetch-Site: cross-site", { "sec-fetch-site": "cross-site" }],
    ["Sec-Fetch-Site: same-site", { "sec-fetch-site": "same-site" }],
    ["another Origin", { origin: "https://evil.test" }],
    ["another port in Origin", { origin: "https://tally.test:8443" }],
    ["the opaque Origin", { origin: "null" }],
  ] as const)("answers 403 to %s (api.md §1)", async ([, headers], { expect }) => {
    expect(await postRaw(somebody().email, VALID, { ...JSON_TYPE, ...headers })).toEqual(CROSS_SITE);
  });

  it("answers 403 before 413 and before the other 400s (api.md §1)", async ({ expect }) => {
    const { email } = somebody();
    const headers = { ...JSON_TYPE, origin: "https://evil.test" };
    const longPrompt = JSON.stringify({ threadId: "t", prompt: "p".repeat(200_001) });
    const longId = JSON.stringify({ threadId: "t".repeat(201), prompt: "Hello" });
    expect(await postRaw(email, longPrompt, headers)).toEqual(CROSS_SITE);
    expect(await postRaw(email, longId, headers)).toEqual(CROSS_SITE);
    expect(await postRaw(email, VALID, { ...headers, "idempotency-key": "k".repeat(256) })).toEqual(CROSS_SITE);
  });

  it("answers 400 to a thread id of 201 characters (api.md §2)", async ({ expect }) => {
    const answer = await somebody().postTurn({ threadId: "t".repeat(201), prompt: "Hello" });
    expect(answer).toEqual({ status: 400, body: { error: "threadId: use at most 200 characters." } });
  });

  it.for([
    ["\ud800", "use whole Unicode characters"],
    [".", 'use another id than "." or ".."'],
    ["..", 'use another id than "." or ".."'],
  ])("answers 400 to the thread id %j, which no path could name", async ([threadId, remedy], { expect }) => {
    const answer = await somebody().postTurn({ threadId, prompt: "Hello" });
    expect(answer).toEqual({ status: 400, body: { error: `threadId: ${remedy}.` } });
  });

  it("answers 413 to a prompt of 200,001 characters (api.md §2)", async ({ expect }) => {
    expect(await somebody().postTurn({ threadId: "t", prompt: "p".repeat(200_001) })).toEqual(TOO_LARGE);
  });

  it("answers 413 before what else is wrong with the thread's id (api.md §1)", async ({ expect }) => {
    const sent = { threadId: "t".repeat(201), prompt: "p".repeat(200_001) };
    expect(await somebody().postTurn(sent)).toEqual(TOO_LARGE);
  });

  it("answers 413 to a body over 1 MB, however little of it is the prompt (api.md §1)", async ({ expect }) => {
    const body = { threadId: "t", prompt: "Hello", padding: "x".repeat(1_100_000) };
    expect(await somebody().postTurn(body)).toEqual(TOO_LARGE);
  });

  it("takes a body of another type for empty, however large it is", async ({ expect }) => {
    const body = JSON.stringify({ threadId: "t", prompt: "Hello", padding: "x".repeat(1_100_000) });
    const response = await fetchAs(somebody().email, PATH, {
      ...{ method: "POST", body },
      headers: { "content-type": "text/plain", origin: "https://elsewhere.test" },
    });
    expect(await answerOf(response)).toEqual({ status: 400, body: { error: "threadId and prompt are required." } });
  });

  it("counts a body that does not say its length while it is read (api.md §1)", async ({ expect }) => {
    const body = new Blob([
      JSON.stringify({ threadId: "t", prompt: "Hello", padding: "x".repeat(1_100_000) }),
    ]).stream();
    const response = await fetchAs(somebody().email, PATH, { method: "POST", body, headers: JSON_TYPE });
    expect(await answerOf(response)).toEqual(TOO_LARGE);
  });

  it.for(["GET", "HEAD", "PUT", "PATCH", "DELETE"])(
    "answers 405 to %s, also to nobody (api.md §1)",
    async (method, { expect }) => {
      const response = await fetchAs(null, PATH, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("Allow")).toBe("POST");
    },
  );
});

describe("what is answered", () => {
  it("answers runId, sessionId and events, and nothing else (api.md §2)", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
    const { status, body } = await somebody().postTurn({ threadId: "t", prompt: model.prompt("Hello") });
    expect(status).toBe(200);
    const { runId } = TurnStartResponse.parse(body);
    expect(runId).toMatch(/^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(body).toEqual({ runId, sessionId: null, events: `/_framework/runs/${runId}/events` });
  });

  it("answers before the turn finishes (run.md, Starting)", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [holdBefore(say("Late."))]);
    const client = somebody();
    const turn = await client.startTurn("t", model.prompt("Hello"));
    await model.reaches(1, "held");
    expect(await client.view(turn.runId)).toMatchObject({ status: "running", finishedAt: null });
    await model.release();
    expect((await client.events(turn.events)).at(-1)).toMatchObject({ type: "run_end", status: "completed" });
  });

  it.for([
    ["a charset", { "content-type": "application/json; charset=utf-8" }],
    ["another case", { "content-type": "Application/JSON" }],
    ["its own Origin", { ...JSON_TYPE, origin: "https://tally.test", "sec-fetch-site": "same-origin" }],
    ["a person's own navigation", { ...JSON_TYPE, "sec-fetch-site": "none" }],
  ] as const)("takes a request with %s (api.md §1)", async ([, headers], { expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
    const body = JSON.stringify({ threadId: "t", prompt: model.prompt("Hello") });
    expect(await postRaw(somebody().email, body, headers)).toMatchObject({ status: 200 });
  });

  it("trims the prompt, and nothing else (api.md §2)", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
    const client = somebody();
    const prompt = `two  words\n and ${model.prompt("more")}`;
    const turn = await client.startTurn("t", ` \n${prompt}\u00a0\t `);
    expect(theOnly(await client.events(turn.events), "user_message").text).toBe(prompt);
    expect(await client.ask("GET", `/_framework/runs/${turn.runId}/prompt`)).toEqual({ status: 200, body: { prompt } });
  });

  it("takes thread ids of 200 characters and keeps their spaces (api.md §2)", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two."), say("Three.")]);
    const client = somebody();
    const prompt = model.prompt("Hello");
    const answers = [
      await client.startTurn(" t ", prompt),
      await client.startTurn("t", prompt),
      await client.startTurn("t".repeat(200), prompt),
    ];
    expect(answers.map(({ sessionId }) => sessionId)).toEqual([null, null, null]);
    const views = await Promise.all(answers.map(({ runId }) => client.view(runId)));
    expect(views.map(({ threadId }) => threadId)).toEqual([" t ", "t", "t".repeat(200)]);
  });
});
