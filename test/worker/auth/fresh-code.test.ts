/** The first command that a log-in of a deployed Worker allows wants a code that was mailed for it. */
import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callTool, callTools, say } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { codesSentTo } from "../../support/workerd/outbox.ts";
import { endsOf, turnOnFiles } from "../../support/workerd/person-with-files.ts";
import { aBrowser, type Browser, signIn } from "../../support/workerd/sign-in.ts";
import worker from "../../support/workerd/test-worker.ts";

const PATH = "/_framework/auth/fresh-code";
const ENTER = { status: 403, body: { error: "Enter the code we sent you." } };
const WRONG = { status: 400, body: { error: "This code is wrong or has expired. Try again, or ask for a new one." } };

const echo = (word = "hi"): Reply => callTool("run_shell", { command: `echo ${word}` });

/** A run that waits for its first answer, and its person signed in at a deployed Worker as well. */
const waiting = async (replies: readonly Reply[]) => {
  const turn = await turnOnFiles({ "a.txt": "one\n" }, replies);
  const request = await turn.asked();
  const { email } = turn.client;
  const answer = (browser: Browser, decision: string, { requestId } = request) =>
    browser.ask("POST", `/_framework/runs/${turn.turn.runId}/permissions/${requestId}`, { decision });
  return { ...turn, email, request, answer, browser: await signIn(email) };
};

/** Answers by a Worker to which the run's object shows `view` as the request. `answered`: what reached the object. */
const answerUnread = async (browser: Browser, path: string, view: unknown) => {
  const answered: unknown[] = [];
  const run = { request: async () => view, answer: async (...given: unknown[]) => void answered.push(given) };
  const RUNS = new Proxy(env.RUNS, {
    get: (runs, name) => (name === "getByName" ? () => run : Reflect.get(runs, name)),
  });
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const headers = { cookie, "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify({ decision: "allow_once" }) };
  return { sent: await worker.request(`https://tally.test${path}`, init, { ...env, RUNS }), answered };
};

const enter = (browser: Browser, code: unknown) => browser.ask("POST", PATH, { code });
const lastCode = (email: string) => codesSentTo(email).at(-1) ?? "none";
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a first command", () => {
  it("is allowed only after the code, and no later one of that log-in asks again", async () => {
    const { browser, email, answer, asked, request, toEnd } = await waiting([echo("one"), echo("two"), say("Done.")]);
    const sent = codesSentTo(email).length;
    expect(await answer(browser, "allow_once")).toEqual(ENTER);
    expect(codesSentTo(email)).toHaveLength(sent + 1);
    expect(await enter(browser, ` ${lastCode(email)} `)).toEqual({ status: 200, body: { ok: true } });
    expect(await answer(browser, "allow_once")).toMatchObject({ status: 200 });
    const second = await asked(request.seq);
    expect(await answer(browser, "allow_once", second)).toMatchObject({ status: 200 });
    expect(endsOf(await toEnd()).map(([status]) => status)).toEqual(["completed", "completed"]);
    expect(codesSentTo(email)).toHaveLength(sent + 1);
  });

  it("asks for a new code at once where the first could not be mailed", async () => {
    const { browser, email, request, turn, answer } = await waiting([echo(), say("Done.")]);
    const sent = codesSentTo(email).length;
    const path = `/_framework/runs/${turn.runId}/permissions/${request.requestId}`;
    const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
    const headers = { cookie, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify({ decision: "allow_once" }) };
    const unsent = await worker.request(`https://tally.test${path}`, init, { ...env, OFFLINE: "true" });
    expect(unsent.status).toBe(503);
    expect(await unsent.json()).toEqual({ error: "The code could not be sent. Try again later." });
    expect(await answer(browser, "allow_once")).toEqual(ENTER);
    expect(codesSentTo(email)).toHaveLength(sent + 1);
    // Nor does a later one that cannot be mailed take this one with it.
    vi.setSystemTime(Date.now() + 61_000);
    expect((await worker.request(`https://tally.test${path}`, init, { ...env, OFFLINE: "true" })).status).toBe(503);
    expect(await enter(browser, lastCode(email))).toMatchObject({ status: 200 });
  });

  it("is mailed one code when two answers come at once", async () => {
    const { browser, email, answer } = await waiting([echo(), say("Done.")]);
    const sent = codesSentTo(email).length;
    const answers = await Promise.all([answer(browser, "allow_once"), answer(browser, "allow_once")]);
    expect(answers).toEqual([ENTER, ENTER]);
    expect(codesSentTo(email)).toHaveLength(sent + 1);
    expect(await enter(browser, lastCode(email))).toMatchObject({ status: 200 });
  });

  it("is refused with a separate code in the header, for allow_always as well", async () => {
    const { browser, request, turn } = await waiting([echo(), say("Done.")]);
    const path = `/_framework/runs/${turn.runId}/permissions/${request.requestId}`;
    const refused = await browser.request(path, { method: "POST", body: JSON.stringify({ decision: "allow_always" }) });
    expect([refused.status, refused.headers.get("X-Error-Code")]).toEqual([403, "fresh_code"]);
  });

  it("asks each log-in, and a code of one is nothing to another", async () => {
    const { browser, email, answer } = await waiting([echo(), say("Done.")]);
    const other = await signIn(email);
    expect(await answer(browser, "allow_once")).toEqual(ENTER);
    expect(await enter(other, lastCode(email))).toEqual(WRONG);
    expect(await enter(browser, lastCode(email))).toMatchObject({ status: 200 });
    expect(await answer(other, "allow_once")).toEqual(ENTER);
  });

  it("can be rejected without one, and so can everything else be allowed", async () => {
    const edit = callTools([{ name: "edit_file", input: { path: "a.txt", oldText: "one", newText: "two" } }]);
    const { browser, answer, asked, request, toEnd } = await waiting([edit, echo(), say("Done.")]);
    expect(await answer(browser, "allow_once")).toMatchObject({ status: 200 });
    expect(await answer(browser, "reject", await asked(request.seq))).toMatchObject({ status: 200 });
    expect(endsOf(await toEnd()).map(([status]) => status)).toEqual(["completed", "denied"]);
  });

  it("is allowed without one on this machine", async () => {
    const { request, decide } = await waiting([echo(), say("Done.")]);
    expect(await decide(request, "allow_once")).toMatchObject({ status: 200 });
  });
});

describe("a request that this release cannot read", () => {
  it.each([[{ type: "terminal", command: "echo hi" }], ["a command"], [undefined]])(
    "wants the code as a command does: %j",
    async (subject) => {
      const { browser, request, turn, email } = await waiting([echo(), say("Done.")]);
      const path = `/_framework/runs/${turn.runId}/permissions/${request.requestId}`;
      const { sent, answered } = await answerUnread(browser, path, { ...request, subject });
      expect([sent.status, sent.headers.get("X-Error-Code"), answered]).toEqual([403, "fresh_code", []]);
      expect(await enter(browser, lastCode(email))).toMatchObject({ status: 200 });
    },
  );
});

describe("codes of sign-in", () => {
  /** Five in a quarter of an hour are all there are. */
  const useUp = async (email: string) => {
    const stranger = aBrowser();
    const statuses: number[] = [];
    for (let time = 0; time < 6; time += 1) statuses.push((await stranger.askForCode(email)).status);
    expect(statuses.at(-1)).toBe(429);
  };

  it("that a stranger uses up leave the person theirs", async () => {
    const { browser, email, answer } = await waiting([echo(), say("Done.")]);
    await useUp(email);
    const sent = codesSentTo(email).length;
    expect(await answer(browser, "allow_once")).toEqual(ENTER);
    expect(codesSentTo(email)).toHaveLength(sent + 1);
  });

  it("are not used up by those of a log-in, which has five in a quarter of an hour", async () => {
    const { browser, email, answer } = await waiting([echo(), say("Done.")]);
    const statuses: number[] = [];
    for (let time = 0; time < 6; time += 1) {
      statuses.push((await answer(browser, "allow_once")).status);
      vi.setSystemTime(Date.now() + 61_000);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
    expect(await aBrowser().askForCode(email)).toMatchObject({ status: 200 });
    const other = await signIn(email);
    expect(await answer(other, "allow_once")).toEqual(ENTER);
  });
});

describe("the code", () => {
  it.each([["123"], [""], [null], [123_456], ["abcdef"]])("is refused when it is not a code: %j", async (code) => {
    expect(await enter(await signIn(), code)).toEqual(WRONG);
  });

  it("is tried five times, then it is no longer valid", async () => {
    const { browser, email, answer } = await waiting([echo(), say("Done.")]);
    await answer(browser, "allow_once");
    const code = lastCode(email);
    for (let tries = 0; tries < 5; tries += 1) expect(await enter(browser, otherThan(code))).toEqual(WRONG);
    expect(await enter(browser, code)).toEqual(WRONG);
  });

  it("counts for five minutes, and a new one is sent a minute after the last at the earliest", async () => {
    const { browser, email, answer } = await waiting([echo(), say("Done.")]);
    await answer(browser, "allow_once");
    const sent = codesSentTo(email).length;
    expect(await answer(browser, "allow_once")).toEqual(ENTER);
    expect(codesSentTo(email)).toHaveLength(sent);
    const first = lastCode(email);
    vi.setSystemTime(Date.now() + 5 * 60_000 + 1);
    expect(await enter(browser, first)).toEqual(WRONG);
    expect(await answer(browser, "allow_once")).toEqual(ENTER);
    expect(codesSentTo(email)).toHaveLength(sent + 1);
    expect(await enter(browser, lastCode(email))).toMatchObject({ status: 200 });
  });

  it("signs nobody in, is kept as a hash, and wants a log-in", async () => {
    const { browser, email, answer } = await waiting([echo(), say("Done.")]);
    await answer(browser, "allow_once");
    const code = lastCode(email);
    expect(await browser.enterCode(email, code)).toEqual(WRONG);
    // Its own row: of many hashes and times, one has the six digits by chance now and then.
    const kept = env.DB.prepare("SELECT code_hash FROM login_confirmations ORDER BY rowid DESC");
    const hash = await kept.first<string>("code_hash");
    expect(hash).toMatch(/./);
    expect(hash).not.toContain(code);
    browser.cookies.clear();
    expect(await enter(browser, code)).toMatchObject({ status: 401 });
  });
});
