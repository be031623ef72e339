/** A deployment that is not for everybody: whoever is not on the list gets no code, and is no longer signed in. */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { answerOf } from "../../support/workerd/answer.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { countD1 } from "../../support/workerd/count-d1.ts";
import { codesSentTo } from "../../support/workerd/outbox.ts";
import { aBrowser, signIn } from "../../support/workerd/sign-in.ts";
import worker from "../../support/workerd/test-worker.ts";

const CODE_PATH = "/_framework/auth/email-otp/send-verification-otp";
const SIGN_IN_PATH = "/_framework/auth/sign-in/email-otp";
const INVITE_PATH = "/_framework/auth/organization/invite-member";
const UNSIGNED = { status: 401, body: { error: "Sign in to run the agent." } };

const anEmail = (domain = "example.com") => `${crypto.randomUUID()}@${domain}`;

/** Asks a Worker with this list. */
const ask = async (ALLOWED_EMAILS: string, method: string, path: string, body?: unknown, cookie = "") => {
  const headers = { cookie, ...(body === undefined ? {} : { "content-type": "application/json" }) };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return await answerOf(await worker.request(`https://tally.test${path}`, init, { ...env, ALLOWED_EMAILS }));
};

const cookieOf = (cookies: ReadonlyMap<string, string>) => [...cookies].map((pair) => pair.join("=")).join("; ");

describe("who is not on the list", () => {
  it("is answered as everybody is, and sent no code", async () => {
    const [guest, stranger] = [anEmail("firm.test"), anEmail()];
    const answers = [
      await ask("@firm.test", "POST", CODE_PATH, { email: guest }),
      await ask("@firm.test", "POST", CODE_PATH, { email: stranger }),
    ];
    expect(answers).toEqual([
      { status: 200, body: { success: true } },
      { status: 200, body: { success: true } },
    ]);
    expect([codesSentTo(guest).length, codesSentTo(stranger).length]).toEqual([1, 0]);
  });

  it("is not signed in by a code of before, in the words of any wrong code", async () => {
    const email = anEmail();
    await aBrowser().askForCode(email);
    const body = { email, otp: codesSentTo(email)[0] };
    const wrong = { error: "This code is wrong or has expired. Try again, or ask for a new one." };
    expect(await ask("@firm.test", "POST", SIGN_IN_PATH, body)).toEqual({ status: 400, body: wrong });
    expect(await ask(email, "POST", SIGN_IN_PATH, body)).toMatchObject({ status: 200 });
  });

  it("is told that a code is wrong behind the same work in D1", async () => {
    const asked = countD1();
    const [guest, stranger] = [anEmail("firm.test"), anEmail()];
    /** Each asks for a code and enters one that is wrong. The number of calls to D1 that name them. */
    const callsFor = async (email: string) => {
      await ask("@firm.test", "POST", CODE_PATH, { email });
      const before = asked(email);
      const { status } = await ask("@firm.test", "POST", SIGN_IN_PATH, { email, otp: "000000" });
      return { status, calls: asked(email) - before };
    };
    const ofGuest = await callsFor(guest);
    expect(ofGuest).toEqual({ status: 400, calls: expect.any(Number) });
    expect(ofGuest.calls).toBeGreaterThan(0);
    expect(await callsFor(stranger)).toEqual(ofGuest);
  });

  it("is no longer signed in: reads, turns, log-ins and organizations are 401, and signing out is not", async () => {
    const { cookies, email } = await signIn();
    const as = (list: string, method: string, path: string, body?: unknown) =>
      ask(list, method, path, body, cookieOf(cookies));
    expect(await as(email, "GET", "/_framework/session")).toMatchObject({ status: 200, body: { email } });
    const refused = [
      await as("@firm.test", "GET", "/_framework/session"),
      await as("@firm.test", "GET", "/_framework/auth/get-session"),
      await as("@firm.test", "GET", "/_framework/auth/organization/list"),
      await as("@firm.test", "POST", "/_framework/auth/organization/create", { name: "N", slug: "n" }),
      await as("@firm.test", "POST", "/_framework/actions/list-stocks", {}),
      await as("@firm.test", "POST", "/api/agent/turn", { threadId: "t", prompt: "hello" }),
    ];
    expect(refused).toEqual(refused.map(() => UNSIGNED));
    expect(await as("@firm.test", "POST", "/_framework/auth/sign-out", {})).toMatchObject({ status: 200 });
  });

  it("cannot read the list off invitations once they are taken off it", async () => {
    const { cookies, openOrganization } = await signIn();
    const organizationId = await openOrganization();
    const invite = (email: string) =>
      ask("@firm.test", "POST", INVITE_PATH, { email, organizationId }, cookieOf(cookies));
    expect([await invite(anEmail()), await invite(anEmail("firm.test"))]).toEqual([UNSIGNED, UNSIGNED]);
  });

  it("uses up no mails of those who are on it", async () => {
    const MAILS_PER_HOUR = "3";
    const request = (email: string) => {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ email }) };
      return worker.request(`https://tally.test${CODE_PATH}`, init, {
        ...env,
        ALLOWED_EMAILS: "@firm.test",
        MAILS_PER_HOUR,
      });
    };
    const statuses = [];
    for (const domain of ["example.com", "example.com", "example.com", "example.com", "firm.test"]) {
      statuses.push((await request(anEmail(domain))).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
  });

  it("cannot be invited, which members learn, and is sent no mail", async () => {
    const { cookies, email, openOrganization } = await signIn();
    const [organizationId, stranger] = [await openOrganization(), anEmail()];
    const invite = (list: string) =>
      ask(list, "POST", INVITE_PATH, { email: stranger, organizationId }, cookieOf(cookies));
    expect(await invite(email)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^email: this address/) },
    });
    expect(codesSentTo(stranger)).toEqual([]);
    expect(await invite(`${email} @example.com`)).toMatchObject({ status: 200 });
    expect(codesSentTo(stranger)).toHaveLength(1);
  });
});

describe("a list that names nobody", () => {
  it.each(["", ",", " ", " ,\n", "*"])("(%j) lets nobody in, and the log names the variable", async (list) => {
    const email = anEmail();
    const { cookies } = await signIn(email);
    const sent = codesSentTo(email).length;
    const log = captureLog();
    const cookie = cookieOf(cookies);
    const answers = [
      await ask(list, "POST", CODE_PATH, { email }),
      await ask(list, "POST", "/api/agent/turn", { threadId: "t", prompt: "hello" }, cookie),
      await ask(list, "GET", "/_framework/session", undefined, cookie),
    ];
    expect(answers).toEqual([
      { status: 503, body: { error: "Sign-in is not set up here." } },
      { status: 503, body: { error: "The agent is unavailable. Try again." } },
      UNSIGNED,
    ]);
    expect(codesSentTo(email)).toHaveLength(sent);
    expect(log.text()).toMatch(/ALLOWED_EMAILS names nobody/);
  });
});
