/** Attacks by who is nobody, and by who was signed in until a moment ago: on every route there is. */
import { describe, it } from "vitest";
import { aBrowser, signIn } from "../support/workerd/sign-in.ts";
import { AUTH_CHANGES, AUTH_READS, CHANGES, READS } from "./http/every-route.ts";

const AUTH = "/_framework/auth";
const UNSIGNED = { status: 401, body: { error: "Sign in to run the agent." } };

/** What nobody may ask: signing in, signing out of nothing, and whether one is signed in. */
const OPEN: ReadonlySet<string> = new Set([
  ...["email-otp/send-verification-otp", "sign-in/email-otp", "sign-out", "get-session"],
]);
const CLOSED_READS = AUTH_READS.filter((name) => !OPEN.has(name));
const CLOSED_CHANGES = AUTH_CHANGES.filter((name) => !OPEN.has(name));

/** A browser whose log-in was ended in another one, with the signed copy that reads believe for five minutes. */
const aRevokedBrowser = async () => {
  const browser = await signIn();
  await (await signIn(browser.email)).ask("POST", `${AUTH}/revoke-other-sessions`);
  return browser;
};

describe("nobody", () => {
  it.for(READS)("reads nothing by %s", async (path, { expect }) => {
    expect(await aBrowser().ask("GET", path)).toEqual(UNSIGNED);
  });

  it.for(CHANGES)("changes nothing by %s %s", async ([path, method, body], { expect }) => {
    expect(await aBrowser().ask(method, path, JSON.parse(body))).toEqual(UNSIGNED);
  });

  it.for(CLOSED_READS)("reads nothing of sign-in by %s", async (name, { expect }) => {
    expect(await aBrowser().ask("GET", `${AUTH}/${name}`)).toEqual(UNSIGNED);
  });

  it.for(CLOSED_CHANGES)("changes nothing of sign-in by %s", async (name, { expect }) => {
    expect(await aBrowser().ask("POST", `${AUTH}/${name}`, { token: "none" })).toEqual(UNSIGNED);
  });

  it("is told that nobody is signed in, and no more", async ({ expect }) => {
    expect(await aBrowser().ask("GET", `${AUTH}/get-session`)).toEqual({ status: 200, body: null });
  });
});

describe("a log-in that was revoked, with its signed copy still good,", () => {
  it.for(CHANGES)("changes nothing by %s %s", async ([path, method, body], { expect }) => {
    expect(await (await aRevokedBrowser()).ask(method, path, JSON.parse(body))).toEqual(UNSIGNED);
  });

  it.for(CLOSED_READS)("reads nothing of sign-in by %s", async (name, { expect }) => {
    expect(await (await aRevokedBrowser()).ask("GET", `${AUTH}/${name}`)).toEqual(UNSIGNED);
  });

  it.for(CLOSED_CHANGES)("changes nothing of sign-in by %s", async (name, { expect }) => {
    expect(await (await aRevokedBrowser()).ask("POST", `${AUTH}/${name}`, { token: "none" })).toEqual(UNSIGNED);
  });

  it("is not given all of the person's data", async ({ expect }) => {
    expect(await (await aRevokedBrowser()).ask("GET", "/_framework/account/export")).toEqual(UNSIGNED);
  });
});
