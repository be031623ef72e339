/** Attacks by cookies: what was made up, cut, joined or copied signs nobody in, and breaks nothing for who is signed in. */
import { describe, it } from "vitest";
import { aBrowser, signIn } from "../support/workerd/sign-in.ts";

const TOKEN = "__Host-tally.session_token";
const COPY = "__Host-tally.session_data";
const UNSIGNED = { status: 401, body: { error: "Sign in to run the agent." } };

const base64 = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, "");

const NEVER = Date.now() + 3_600_000;
const forged = (email: string) => ({
  session: {
    session: { id: "x", token: "x", userId: "x", expiresAt: new Date(NEVER) },
    user: { id: "x", email, emailVerified: true },
  },
  expiresAt: NEVER,
});

/** Values of a cookie that nobody has signed. */
const MADE_UP = [
  ["nothing", ""],
  ["a dot", "."],
  ["no base64", "%%%"],
  ["half a pair of percents", "%E0%A4%A"],
  ["JSON", '{"a":1}'],
  ["null", base64(null)],
  ["a number", base64(1)],
  ["a list", base64([])],
  ["a prototype", btoa('{"__proto__":{"session":{},"user":{}}}')],
  ["a session without a signature", base64(forged("ann@example.com"))],
  ["a session with an empty signature", base64({ ...forged("ann@example.com"), signature: "" })],
  ["a session with another's signature", base64({ ...forged("ann@example.com"), signature: "A".repeat(43) })],
  ["a long one", "x".repeat(8_000)],
] as const;

describe("a cookie that was made up", () => {
  it.for(MADE_UP)("is nobody's log-in: %s", async ([, value], { expect }) => {
    const { cookies, ask } = aBrowser();
    cookies.set(TOKEN, value);
    expect(await ask("GET", "/_framework/session")).toEqual(UNSIGNED);
    cookies.set(COPY, value);
    expect(await ask("GET", "/_framework/session")).toEqual(UNSIGNED);
    expect(await ask("POST", "/api/agent/turn", { threadId: "t", prompt: "hello" })).toEqual(UNSIGNED);
  });

  it.for(MADE_UP)("does not hide the log-in next to it: %s", async ([, value], { expect }) => {
    const { cookies, ask, email } = await signIn();
    cookies.set(COPY, value);
    expect(await ask("GET", "/_framework/session")).toMatchObject({ status: 200, body: { email } });
    cookies.set(COPY, value);
    expect(await ask("POST", "/_framework/actions/list-stocks", {})).toMatchObject({ status: 200 });
    cookies.set(COPY, value);
    expect(await ask("GET", "/_framework/auth/get-session")).toMatchObject({ body: { user: { email } } });
  });
});

it("the signed copy of one person's log-in is of no use with another's, and of none alone", async ({ expect }) => {
  const [ann, bob] = [await signIn(), await signIn()];
  const copy = ann.cookies.get(COPY) ?? "";
  const thief = aBrowser();
  thief.cookies.set(COPY, copy);
  expect(await thief.session()).toEqual(UNSIGNED);
  bob.cookies.set(COPY, copy.slice(0, -4));
  expect(await bob.session()).toMatchObject({ body: { email: bob.email } });
});

it("a log-in's token is of no use without its signature, or with one letter changed", async ({ expect }) => {
  const { cookies } = await signIn();
  const token = cookies.get(TOKEN) ?? "";
  const thief = aBrowser();
  thief.cookies.set(TOKEN, token.split(".")[0] ?? "");
  expect(await thief.session()).toEqual(UNSIGNED);
  thief.cookies.set(TOKEN, `${token.startsWith("a") ? "b" : "a"}${token.slice(1)}`);
  expect(await thief.session()).toEqual(UNSIGNED);
});

it("a cookie by the plain name counts for nothing over https", async ({ expect }) => {
  const { cookies } = await signIn();
  const thief = aBrowser();
  thief.cookies.set("tally.session_token", cookies.get(TOKEN) ?? "");
  expect(await thief.session()).toEqual(UNSIGNED);
});

it("a log-in's copy is renewed along with whatever other cookie a response sets", async ({ expect }) => {
  const { cookies, ask, dropCookieCache } = await signIn();
  dropCookieCache();
  expect(await ask("POST", "/_framework/actions/add-stock", { symbol: "AAPL" })).toMatchObject({ status: 200 });
  expect([...cookies.keys()]).toEqual(expect.arrayContaining([TOKEN, COPY]));
});
