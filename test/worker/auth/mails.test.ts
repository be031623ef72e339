/** Which mails are sent, and how many: to one mailbox, by this deployment, and of a log-in from a new browser. */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { answerOf } from "../../support/workerd/answer.ts";
import { codesSentTo } from "../../support/workerd/outbox.ts";
import { aBrowser } from "../../support/workerd/sign-in.ts";
import worker from "../../support/workerd/test-worker.ts";

const CODE_PATH = "/_framework/auth/email-otp/send-verification-otp";
const SIGN_IN_PATH = "/_framework/auth/sign-in/email-otp";
const TOO_MANY = { status: 429, body: { error: "Too many requests. Try again later." } };

describe("codes", () => {
  it.each([
    ["with a tag behind a plus", (nth: number, id: string) => `${id}+${nth}@example.com`],
    [
      "with dots that Gmail does not count",
      (nth: number, id: string) => `${id.slice(0, nth)}.${id.slice(nth)}@gmail.com`,
    ],
  ])("to one mailbox are counted together, however it is written: %s", async (_, write) => {
    const id = crypto.randomUUID().replaceAll("-", "");
    const statuses: number[] = [];
    for (let nth = 1; nth <= 6; nth += 1) statuses.push((await aBrowser().askForCode(write(nth, id))).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it("are sent as often an hour as the deployment may send mails, whoever they go to", async () => {
    const ask = async (MAILS_PER_HOUR: string) => {
      const email = `${crypto.randomUUID()}@example.com`;
      const init = {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, type: "sign-in" }),
      };
      return await answerOf(await worker.request(`https://tally.test${CODE_PATH}`, init, { ...env, MAILS_PER_HOUR }));
    };
    expect([await ask("2"), await ask("2")]).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(await ask("2")).toEqual(TOO_MANY);
  });
});

describe("a log-in", () => {
  /** Signs in with this browser's name for itself. */
  const signInWith = async (email: string, userAgent: string) => {
    const browser = aBrowser();
    await browser.askForCode(email);
    const body = JSON.stringify({ email, otp: codesSentTo(email).at(-1) });
    const answer = await browser.request(SIGN_IN_PATH, { method: "POST", body, headers: { "user-agent": userAgent } });
    expect(answer.status).toBe(200);
    expect(await browser.session()).toMatchObject({ status: 200 });
  };

  it("from a browser that the person is not signed in with is reported to them, without quoting the browser", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    for (const userAgent of ["Firefox", "Firefox", "Evil <b>words</b>"]) await signInWith(email, userAgent);
    const code = expect.stringMatching(/^\d{6}$/);
    const report = expect.stringMatching(
      /^Somebody has signed in to Tally as .* not signed in at the time, at .* UTC\.\n\nIf that was you/,
    );
    // It is sent after the answer.
    await expect.poll(() => codesSentTo(email)).toEqual([code, code, code, report]);
    expect(codesSentTo(email)[3]).not.toContain("words");
    expect(codesSentTo(email)[3]).toContain("https://tally.test/");
  });

  /** The same, asked of the Worker itself: what goes on behind its answer has ended by then. */
  const signInAt = async (origin: string, email: string, userAgent: string) => {
    const headers = { "content-type": "application/json", "user-agent": userAgent };
    const ask = (path: string, body: object) =>
      worker.request(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) }, env);
    await ask(CODE_PATH, { email, type: "sign-in" });
    const answer = await ask(SIGN_IN_PATH, { email, otp: codesSentTo(email).at(-1) });
    expect(answer.status).toBe(200);
  };

  it("that makes the account is reported to nobody", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    await signInAt("https://tally.test", email, "Firefox");
    expect(codesSentTo(email)).toEqual([expect.stringMatching(/^\d{6}$/)]);
  });

  it("on this machine is reported to nobody, from whatever browser", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    for (const userAgent of ["Firefox", "Safari"]) await signInAt("http://localhost", email, userAgent);
    expect(codesSentTo(email)).toEqual([expect.stringMatching(/^\d{6}$/), expect.stringMatching(/^\d{6}$/)]);
  });
});
