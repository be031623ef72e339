/** Sign-in by a code, through the front door (api.md §2, Sign-in). */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { codesSentTo } from "../../support/workerd/outbox.ts";
import { aBrowser, signIn } from "../../support/workerd/sign-in.ts";
import worker from "../../support/workerd/test-worker.ts";

const SIGN_OUT = "/_framework/auth/sign-out";

const anEmail = () => `${crypto.randomUUID()}@example.com`;

const WRONG = { status: 400, body: { error: "This code is wrong or has expired. Try again, or ask for a new one." } };

const otherThan = (code: string) => (code === "000000" ? "000001" : "000000");

/** A browser with a code on its way. */
const withCode = async (email = anEmail()) => {
  const browser = aBrowser();
  await browser.askForCode(email);
  return { ...browser, email, code: codesSentTo(email).at(-1) ?? "none" };
};

it("signs a new person in by the code that was mailed", async () => {
  const email = anEmail();
  const browser = aBrowser();
  expect(await browser.askForCode(email)).toEqual({ status: 200, body: { success: true } });
  expect(codesSentTo(email)).toEqual([expect.stringMatching(/^\d{6}$/)]);
  expect(await browser.enterCode(email, codesSentTo(email)[0] ?? "")).toMatchObject({
    status: 200,
    body: { user: { email, emailVerified: true } },
  });
  expect(await browser.session()).toEqual({ status: 200, body: { email, orgId: null, authDisabled: false } });
});

it("takes an e-mail in any case for the same person", async () => {
  const { ask, email } = await signIn();
  await ask("POST", "/_framework/actions/add-stock", { symbol: "AAPL" });
  const shouting = aBrowser();
  await shouting.askForCode(` ${email.toUpperCase()} `);
  await shouting.enterCode(email.toUpperCase(), codesSentTo(email).at(-1) ?? "");
  expect(await shouting.ask("GET", "/_framework/actions/list-stocks")).toMatchObject({ body: { total: 1 } });
});

it("sets cookies that no script reads, for this site alone", async () => {
  const { email, code, request } = await withCode();
  const body = JSON.stringify({ email, otp: code });
  const answer = await request("/_framework/auth/sign-in/email-otp", { method: "POST", body });
  expect(answer.headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*/, ""))).toEqual([
    "__Host-tally.session_token; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax",
    "__Host-tally.session_data; Max-Age=300; Path=/; HttpOnly; Secure; SameSite=Lax",
  ]);
});

it("ends the log-in at sign-out, in D1 as well, and logs no trouble", async () => {
  const { ask, session, cookies } = await signIn();
  const log = captureLog();
  const kept = new Map(cookies);
  expect(await ask("POST", SIGN_OUT)).toEqual({ status: 200, body: { success: true } });
  expect(log.lines({}).filter(({ message }) => String(message).startsWith("Sign-in: "))).toEqual([]);
  expect(await session()).toMatchObject({ status: 401 });
  const thief = aBrowser();
  thief.cookies.set("__Host-tally.session_token", kept.get("__Host-tally.session_token") ?? "");
  expect(await thief.session()).toMatchObject({ status: 401 });
});

describe("a code", () => {
  it("is refused when it is wrong, and counts afterwards when it is right", async () => {
    const { email, code, enterCode } = await withCode();
    expect(await enterCode(email, otherThan(code))).toEqual(WRONG);
    expect(await enterCode(email, code)).toMatchObject({ status: 200 });
  });

  it("is of no use a second time", async () => {
    const { email, code, enterCode } = await withCode();
    await enterCode(email, code);
    expect(await aBrowser().enterCode(email, code)).toEqual(WRONG);
  });

  it("is of no use for another e-mail", async () => {
    const [ann, bob] = [await withCode(), await withCode()];
    expect(await ann.enterCode(bob.email, ann.code === bob.code ? otherThan(bob.code) : ann.code)).toEqual(WRONG);
  });

  it("is of no use once a newer one was sent", async () => {
    const { email, code, enterCode, askForCode } = await withCode();
    await askForCode(email);
    const newer = codesSentTo(email).at(-1) ?? "";
    expect(await enterCode(email, code === newer ? otherThan(code) : code)).toEqual(WRONG);
    expect(await enterCode(email, newer)).toMatchObject({ status: 200 });
  });

  it("is of no use after five wrong tries", async () => {
    const { email, code, enterCode } = await withCode();
    const wrong = otherThan(code);
    await enterCode(email, wrong);
    await enterCode(email, wrong);
    await enterCode(email, wrong);
    await enterCode(email, wrong);
    await enterCode(email, wrong);
    expect(await enterCode(email, code)).toEqual(WRONG);
  });

  it.each(["12345", "1234567", "abcdef", ""])("is wrong as %j", async (otp) => {
    const { email, enterCode } = await withCode();
    expect(await enterCode(email, otp)).toEqual(WRONG);
  });
});

describe("an e-mail", () => {
  it.each(["", "ann", "ann@", "@example.com", "ann@example", "ann @example.com", `${"a".repeat(250)}@example.com`])(
    "is refused as %j",
    async (email) => {
      expect(await aBrowser().askForCode(email)).toEqual({
        status: 400,
        body: { error: "email: use an address such as ann@example.com." },
      });
    },
  );

  it.each([
    "\u212Aim@example.com",
    "аnn@example.com",
    "ann@exаmple.com",
    "ann\u200b@example.com",
    "\u00a0ann@example.com",
  ])("is refused when it only looks like another: %j", async (email) => {
    expect(await aBrowser().askForCode(email)).toMatchObject({ status: 400 });
    expect(await aBrowser().enterCode(email, "123456")).toEqual(WRONG);
  });

  it("gets the same answer whether somebody has signed in by it or not", async () => {
    const { email } = await signIn();
    expect(await aBrowser().askForCode(email)).toEqual(await aBrowser().askForCode(anEmail()));
    expect(await aBrowser().enterCode(email, "x")).toEqual(await aBrowser().enterCode(anEmail(), "x"));
  });

  it("that no mail reaches is answered 503", async () => {
    expect(await aBrowser().askForCode(`bounces-${anEmail()}`)).toEqual({
      status: 503,
      body: { error: "The code could not be sent. Try again later." },
    });
  });

  it("keeps the code that was mailed when the next one cannot be", async () => {
    const email = anEmail();
    await aBrowser().askForCode(email);
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, type: "sign-in" }),
    };
    const url = "https://tally.test/_framework/auth/email-otp/send-verification-otp";
    expect((await worker.request(url, init, { ...env, OFFLINE: "true" })).status).toBe(503);
    expect(codesSentTo(email)).toHaveLength(1);
    expect(await aBrowser().enterCode(email, codesSentTo(email)[0] ?? "none")).toMatchObject({ status: 200 });
  });

  it("that mail comes back from is told so, since waiting changes nothing, and the log says why", async () => {
    const log = captureLog();
    expect(await aBrowser().askForCode(`suppressed-${anEmail()}`)).toEqual({
      status: 503,
      body: { error: "Mail to this address comes back. Ask whoever runs this Tally." },
    });
    expect(log.lines({ message: "No code was sent." })).toMatchObject([{ code: "E_RECIPIENT_SUPPRESSED" }]);
  });
});

describe("the sign-in routes", () => {
  it.each([
    "sign-up/email",
    "sign-in/email",
    "change-email",
    "update-user",
    "change-password",
    "delete-user",
    "email-otp/change-email",
    "error",
  ])("do not include %s", async (name) => {
    expect(await aBrowser().ask("POST", `/_framework/auth/${name}`, {})).toEqual({
      status: 404,
      body: { error: "Not found." },
    });
  });

  it("answer another method with 405", async () => {
    expect(await aBrowser().ask("GET", SIGN_OUT)).toEqual({
      status: 405,
      body: { error: "Method not allowed." },
    });
  });

  it("take no body for none, whatever it is called, and say so when it is no JSON", async () => {
    const { request, ask } = await signIn();
    const post = async (init: RequestInit) => (await request(SIGN_OUT, { method: "POST", ...init })).status;
    expect(await post({ body: "{" })).toBe(400);
    expect(await ask("POST", SIGN_OUT, [])).toMatchObject({ status: 400 });
    expect(await post({ headers: { "content-type": "text/plain" } })).toBe(200);
  });

  it("refuse another site's page", async () => {
    const { request } = await signIn();
    const answer = await request(SIGN_OUT, {
      method: "POST",
      headers: { origin: "https://evil.example" },
    });
    expect(answer.status).toBe(403);
  });

  it("never send a browser to another place", async () => {
    const { email, code, request } = await withCode();
    const body = JSON.stringify({
      email,
      otp: code,
      callbackURL: "https://evil.example",
      redirectTo: "//evil.example",
    });
    const answer = await request("/_framework/auth/sign-in/email-otp", { method: "POST", body });
    expect([answer.status, answer.headers.get("location")]).toEqual([200, null]);
    expect(await answer.text()).not.toContain("evil");
  });
});
