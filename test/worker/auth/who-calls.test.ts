/** Who counts as signed in (api.md §1), and where the fallback identity must not hold. */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { answerOf } from "../../support/workerd/answer.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { codesSentTo } from "../../support/workerd/outbox.ts";
import { signIn } from "../../support/workerd/sign-in.ts";
import worker from "../../support/workerd/test-worker.ts";

const DEV = { email: "dev@local.test", orgId: null, authDisabled: true };
const UNSIGNED = { status: 401, body: { error: "Sign in to run the agent." } };
const UNAVAILABLE = { status: 503, body: { error: "The agent is unavailable. Try again." } };

/** Asks a Worker that has other variables. */
const ask = async (variables: Record<string, string>, url: string, init: RequestInit = {}) =>
  answerOf(await worker.request(url, init, { ...env, BETTER_AUTH_SECRET: "", ...variables }));

const cookieOf = (cookies: ReadonlyMap<string, string>) => [...cookies].map((pair) => pair.join("=")).join("; ");

const TURN = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({}) };

describe("with AUTH_DISABLED", () => {
  it("nobody's request from this machine is the developer's", async () => {
    expect(await ask({ AUTH_DISABLED: "true" }, "http://localhost:8787/_framework/session")).toEqual({
      status: 200,
      body: DEV,
    });
  });

  it("whoever is signed in is who they are", async () => {
    const { email, cookies } = await signIn(undefined, "http://localhost");
    const headers = { cookie: cookieOf(cookies) };
    const variables = { AUTH_DISABLED: "true", BETTER_AUTH_SECRET: env.BETTER_AUTH_SECRET };
    expect(await ask(variables, "http://localhost/_framework/session", { headers })).toEqual({
      status: 200,
      body: { email, orgId: null, authDisabled: false },
    });
  });

  it("another host's request is nobody's, and the log says so", async () => {
    const log = captureLog();
    expect(await ask({ AUTH_DISABLED: "true" }, "https://tally.test/_framework/session")).toEqual(UNSIGNED);
    expect(log.lines({ message: "AUTH_DISABLED is ignored: not a loopback host." })).toHaveLength(1);
  });
});

describe("without a secret", () => {
  it.each(["", "31 bytes are not quite as much."])("no turn starts: %j", async (BETTER_AUTH_SECRET) => {
    const log = captureLog();
    expect(await ask({ BETTER_AUTH_SECRET }, "https://tally.test/api/agent/turn", TURN)).toEqual(UNAVAILABLE);
    expect(log.text()).toContain("Set it with `npx wrangler secret put BETTER_AUTH_SECRET`.");
  });

  it("no turn starts for AUTH_DISABLED on another host", async () => {
    expect(await ask({ AUTH_DISABLED: "true" }, "https://tally.test/api/agent/turn", TURN)).toEqual(UNAVAILABLE);
  });

  it("a turn of this machine with AUTH_DISABLED is looked at", async () => {
    expect(await ask({ AUTH_DISABLED: "true" }, "http://localhost/api/agent/turn", TURN)).toMatchObject({
      status: 400,
    });
  });

  it("sign-in says that it is not set up", async () => {
    const path = "https://tally.test/_framework/auth/email-otp/send-verification-otp";
    const body = JSON.stringify({ email: "ann@example.com" });
    expect(await ask({}, path, { ...TURN, body })).toEqual({
      status: 503,
      body: { error: "Sign-in is not set up here." },
    });
  });
});

it("a cookie signed with another secret is nobody's", async () => {
  const { cookies } = await signIn(undefined, "https://tally.test");
  const headers = { cookie: cookieOf(cookies) };
  const BETTER_AUTH_SECRET = "another secret, long enough to count";
  expect(await ask({ BETTER_AUTH_SECRET }, "https://tally.test/_framework/session", { headers })).toEqual(UNSIGNED);
});

it("a cookie of the other of http and https is nobody's", async () => {
  const { cookies } = await signIn(undefined, "http://localhost");
  const headers = { cookie: cookieOf(cookies) };
  const { BETTER_AUTH_SECRET } = env;
  expect(await ask({ BETTER_AUTH_SECRET }, "https://tally.test/_framework/session", { headers })).toEqual(UNSIGNED);
});

describe("with PRINT_SIGN_IN_CODES", () => {
  const askForCode = (url: string, email: string) => {
    const variables = { PRINT_SIGN_IN_CODES: "true", BETTER_AUTH_SECRET: env.BETTER_AUTH_SECRET };
    const path = `${url}/_framework/auth/email-otp/send-verification-otp`;
    return ask(variables, path, { ...TURN, body: JSON.stringify({ email }) });
  };

  it("a code that this machine asked for is printed, and not mailed", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const log = captureLog();
    expect(await askForCode("http://localhost", email)).toMatchObject({ status: 200 });
    expect(log.text()).toMatch(new RegExp(`^Sign-in code for ${email}: \\d{6}$`, "m"));
    expect(codesSentTo(email)).toEqual([]);
  });

  it("a code that another host was asked for is mailed, and not printed", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const log = captureLog();
    expect(await askForCode("https://tally.test", email)).toMatchObject({ status: 200 });
    expect(log.text()).not.toContain(email);
    expect(codesSentTo(email)).toHaveLength(1);
  });
});
