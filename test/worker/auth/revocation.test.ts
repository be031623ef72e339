/** Log-ins that are revoked: from then on they change nothing, and soon they see nothing. */
import { describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { TurnStartResponse } from "../../../src/contract/turn.ts";
import { callTool, say } from "../../support/model-script.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { countD1 } from "../../support/workerd/count-d1.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { subscribe } from "../../support/workerd/push-device.ts";
import { openStream, parseFrames } from "../../support/workerd/run-client.ts";
import { type Browser, signIn } from "../../support/workerd/sign-in.ts";

const utf8 = new TextEncoder();

const UNSIGNED = { status: 401, body: { error: "Sign in to run the agent." } };

const Logins = z.array(z.object({ id: z.uuid(), token: z.string(), userAgent: z.string().nullable() }));

const loginsOf = async ({ ask }: Browser) => Logins.parse((await ask("GET", "/_framework/auth/list-sessions")).body);

/** One person in two browsers. */
const twoBrowsers = async () => {
  const laptop = await signIn();
  return { laptop, phone: await signIn(laptop.email) };
};

const revokeAll = ({ ask }: Browser) => ask("POST", "/_framework/auth/revoke-sessions");

const startTurn = async ({ ask }: Browser, prompt: string, threadId: string = crypto.randomUUID()) =>
  TurnStartResponse.parse((await ask("POST", "/api/agent/turn", { threadId, prompt })).body);

describe("the list of log-ins", () => {
  it("names each browser, and each can be revoked by any other", async () => {
    const { laptop, phone } = await twoBrowsers();
    const [first, second] = await loginsOf(laptop);
    expect(await loginsOf(phone)).toHaveLength(2);
    const others = [first, second].filter((login) => !phone.cookies.get(TOKEN)?.startsWith(`${login?.token}.`));
    expect(await phone.ask("POST", "/_framework/auth/revoke-session", { token: others[0]?.token })).toMatchObject({
      status: 200,
    });
    expect(await loginsOf(phone)).toHaveLength(1);
    laptop.dropCookieCache();
    expect(await laptop.session()).toEqual(UNSIGNED);
  });

  it("is empty of other people's, which cannot be revoked either", async () => {
    const [ann, bob] = [await signIn(), await signIn()];
    const [login] = await loginsOf(ann);
    await bob.ask("POST", "/_framework/auth/revoke-session", { token: login?.token });
    expect(await loginsOf(ann)).toHaveLength(1);
    expect(await loginsOf(bob)).toHaveLength(1);
  });

  it("is not shown to a revoked log-in, whatever its cookies say", async () => {
    const { laptop, phone } = await twoBrowsers();
    await revokeAll(phone);
    expect(await laptop.ask("GET", "/_framework/auth/list-sessions")).toEqual(UNSIGNED);
  });

  it("keeps this browser when all others are signed out", async () => {
    const { laptop, phone } = await twoBrowsers();
    await phone.ask("POST", "/_framework/auth/revoke-other-sessions");
    phone.dropCookieCache();
    laptop.dropCookieCache();
    expect([(await phone.session()).status, (await laptop.session()).status]).toEqual([200, 401]);
  });
});

const TOKEN = "__Host-tally.session_token";

describe("a revoked log-in", () => {
  it("reads for as long as its signed cookie counts, and not without", async () => {
    const { laptop, phone } = await twoBrowsers();
    await revokeAll(phone);
    expect(await laptop.session()).toMatchObject({ status: 200 });
    laptop.dropCookieCache();
    expect(await laptop.session()).toEqual(UNSIGNED);
  });

  it("starts no turn", async () => {
    const { laptop, phone } = await twoBrowsers();
    await revokeAll(phone);
    expect(await laptop.ask("POST", "/api/agent/turn", { threadId: "t", prompt: "hello" })).toEqual(UNSIGNED);
    expect(await laptop.ask("GET", "/_framework/threads")).toMatchObject({ body: { threads: [] } });
  });

  it.each([
    ["without a prompt", {}],
    ["with nothing in it", undefined],
    ["with a thread id that is too long", { threadId: "t".repeat(201), prompt: "hello" }],
    ["with a prompt that is too long", { threadId: "t", prompt: "h".repeat(200_001) }],
    ["with a body that is too large", "x".repeat(1_000_001)],
  ])("is told so before anything is said of a turn %s (api.md §1)", async (_, body) => {
    const { laptop, phone } = await twoBrowsers();
    await revokeAll(phone);
    expect(await laptop.ask("POST", "/api/agent/turn", body)).toEqual(UNSIGNED);
  });

  it("is not given the answer to a turn that was started under its key", async () => {
    const model = await scriptModel(inject("modelUrl"), [say("Hello.")]);
    const { laptop, phone } = await twoBrowsers();
    const start = () =>
      laptop.request("/api/agent/turn", {
        method: "POST",
        headers: { "Idempotency-Key": "once" },
        body: JSON.stringify({ threadId: "t", prompt: model.prompt("hello") }),
      });
    expect((await start()).status).toBe(200);
    await revokeAll(phone);
    expect((await start()).status).toBe(401);
  });

  it("answers no permission request", async () => {
    const call = callTool("add-stock", { symbol: "AAPL" });
    const model = await scriptModel(inject("modelUrl"), [call, say("Added.")]);
    const { laptop, phone } = await twoBrowsers();
    const { runId, events } = await startTurn(laptop, model.prompt("add it"));
    const requestId = await openRequest(laptop, events);
    await revokeAll(phone);
    const path = `/_framework/runs/${runId}/permissions/${requestId}`;
    expect(await laptop.ask("POST", path, { decision: "allow_once" })).toEqual(UNSIGNED);
    const again = await signIn(laptop.email);
    expect(await again.ask("POST", path, { decision: "reject" })).toMatchObject({ status: 200 });
  });

  it("changes nothing", async () => {
    const { laptop, phone } = await twoBrowsers();
    await revokeAll(phone);
    expect(await laptop.ask("POST", "/_framework/actions/add-stock", { symbol: "AAPL" })).toEqual(UNSIGNED);
    const again = await signIn(laptop.email);
    expect(await again.ask("GET", "/_framework/actions/list-stocks")).toMatchObject({ body: { total: 0 } });
  });

  it("changes nothing by a body that was held back until then", async () => {
    const clock = heldClock(Date.now());
    const { laptop, phone } = await twoBrowsers();
    const checks = countD1();
    const arrives = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(utf8.encode('{"symbol":"AAPL"'));
        await arrives.promise;
        controller.enqueue(utf8.encode("}"));
        controller.close();
      },
    });
    const answer = laptop.request("/_framework/actions/add-stock", { method: "POST", body });
    await expect.poll(() => checks("logins")).toBe(1);
    await revokeAll(phone);
    clock.forward(1_001);
    arrives.resolve();
    expect((await answer).status).toBe(401);
    const again = await signIn(laptop.email);
    expect(await again.ask("GET", "/_framework/actions/list-stocks")).toMatchObject({ body: { total: 0 } });
  });

  it("registers no device by a body that was held back for a moment", async () => {
    const { laptop, phone } = await twoBrowsers();
    const { subscription } = await subscribe();
    const checks = countD1();
    const arrives = Promise.withResolvers<void>();
    const endpoint = `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}`;
    const text = JSON.stringify({ ...Object(subscription), endpoint, label: "Laptop" });
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(utf8.encode(text.slice(0, -1)));
        await arrives.promise;
        controller.enqueue(utf8.encode("}"));
        controller.close();
      },
    });
    // For a moment after a check a log-in counts without another one.
    heldClock(Date.now());
    const answer = laptop.request("/_framework/push", { method: "POST", body });
    await expect.poll(() => checks("logins")).toBe(1);
    await revokeAll(phone);
    arrives.resolve();
    expect((await answer).status).toBe(401);
    const again = await signIn(laptop.email);
    expect(await again.ask("GET", "/_framework/push")).toMatchObject({ body: { devices: [] } });
  });

  it("loses its event streams; the run continues", async () => {
    const model = await scriptModel(inject("modelUrl"), [holdBefore(say("Hello."))]);
    const { laptop, phone } = await twoBrowsers();
    const { events } = await startTurn(laptop, model.prompt("hello"));
    const stream = await openStream(laptop.request, events, "user_message");
    await revokeAll(phone);
    // Whoever joins makes the run ask at once; by itself it does so each minute.
    const second = await (await laptop.request(events)).text();
    expect(parseFrames(await stream.rest()).map(({ type }) => type)).not.toContain("run_end");
    expect(parseFrames(second).map(({ type }) => type)).not.toContain("run_end");
    await model.release();
    const again = await signIn(laptop.email);
    const whole = parseFrames(await (await again.request(events)).text());
    expect(whole.at(-1)).toMatchObject({ type: "run_end", status: "completed" });
  });
});

/** The id of the first permission request of a run, once it is open. */
const openRequest = async ({ request }: Browser, events: string): Promise<string> => {
  const stop = new AbortController();
  const answer = await request(events, { signal: stop.signal });
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('"waiting_permission"')) break;
  }
  stop.abort();
  const asked = parseFrames(text).find(({ type }) => type === "permission_request");
  return asked?.type === "permission_request" ? asked.requestId : "none";
};
