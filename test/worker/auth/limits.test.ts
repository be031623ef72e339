/** How often codes can be asked for and tried, and for how long what was handed out counts. The clock is the test's. */
import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { dropOld } from "../../../src/auth/sign-in-rows.ts";
import { openDb } from "../../../src/db/db.ts";
import { codesSentTo } from "../../support/workerd/outbox.ts";
import { aBrowser, signIn } from "../../support/workerd/sign-in.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});

afterEach(() => {
  vi.useRealTimers();
});

const anEmail = () => `${crypto.randomUUID()}@example.com`;

const MINUTE_MS = 60_000;
const later = (minutes: number) => vi.setSystemTime(Date.now() + minutes * MINUTE_MS);

const TOO_MANY = { status: 429, body: { error: "Too many requests. Try again later." } };
const UNSIGNED = { status: 401, body: { error: "Sign in to run the agent." } };

const CODE_PATH = "/_framework/auth/email-otp/send-verification-otp";
const SIGN_IN_PATH = "/_framework/auth/sign-in/email-otp";

/** Asks for codes one after the other; the statuses. */
const askOften = async (times: number, email: () => string, address: string): Promise<number[]> => {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const init = { method: "POST", headers: { "cf-connecting-ip": address }, body: JSON.stringify({ email: email() }) };
    statuses.push((await aBrowser().request(CODE_PATH, init)).status);
  }
  return statuses;
};

const tryOften = async (times: number, address: string): Promise<number[]> => {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const body = JSON.stringify({ email: anEmail(), otp: "123456" });
    const init = { method: "POST", headers: { "cf-connecting-ip": address }, body };
    statuses.push((await aBrowser().request(SIGN_IN_PATH, init)).status);
  }
  return statuses;
};

const ok = (times: number) => Array.from({ length: times }, () => 200);

describe("codes", () => {
  it("go to one e-mail five times in a quarter of an hour, and again after it", async () => {
    const email = anEmail();
    expect(await askOften(6, () => email, "203.0.113.1")).toEqual([...ok(5), 429]);
    expect(codesSentTo(email)).toHaveLength(5);
    later(15);
    expect(await askOften(1, () => email, "203.0.113.1")).toEqual([200]);
  });

  it("go to one e-mail twenty times a day, whoever asks", async () => {
    const email = anEmail();
    const quarters = async (times: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (let quarter = 0; quarter < times; quarter += 1) {
        statuses.push(...(await askOften(5, () => email, `203.0.113.${10 + quarter}`)));
        later(15);
      }
      return statuses;
    };
    expect(await quarters(4)).toEqual(ok(20));
    expect(await askOften(1, () => email, "203.0.113.20")).toEqual([429]);
  });

  it("are asked for thirty times from one address", async () => {
    expect(await askOften(31, anEmail, "203.0.113.30")).toEqual([...ok(30), 429]);
    expect(await askOften(1, anEmail, "203.0.113.31")).toEqual([200]);
  });

  it("say how long to wait", async () => {
    const email = anEmail();
    await askOften(5, () => email, "203.0.113.40");
    later(5);
    const init = { method: "POST", body: JSON.stringify({ email }) };
    const answer = await aBrowser().request(CODE_PATH, init);
    expect(answer.headers.get("Retry-After")).toBe("600");
    expect({ status: answer.status, body: await answer.json() }).toEqual(TOO_MANY);
  });

  it("are tried sixty times from one address, whatever the e-mails", async () => {
    expect(await tryOften(61, "203.0.113.50")).toEqual([...Array.from({ length: 60 }, () => 400), 429]);
  });

  it("count for five minutes", async () => {
    const email = anEmail();
    const browser = aBrowser();
    await browser.askForCode(email);
    later(5.1);
    expect(await browser.enterCode(email, codesSentTo(email)[0] ?? "")).toMatchObject({ status: 400 });
  });

  it("and counts are kept without the e-mail or the address", async () => {
    const email = anEmail();
    await askOften(1, () => email, "203.0.113.60");
    const { results: counts } = await env.DB.prepare("SELECT * FROM sign_in_attempts").all();
    expect(JSON.stringify(counts)).not.toContain(email);
    expect(JSON.stringify(counts)).not.toContain("203.0.113.60");
    // Its own row: of hundreds of hashes and times, one has the six digits by chance now and then.
    const kept = await env.DB.prepare("SELECT value FROM sign_in_codes ORDER BY rowid DESC").first<string>("value");
    expect(kept).toMatch(/./);
    expect(kept).not.toContain(codesSentTo(email)[0]);
  });
});

describe("a log-in", () => {
  it("that was revoked is believed for five minutes at most", async () => {
    const laptop = await signIn();
    await (await signIn(laptop.email)).ask("POST", "/_framework/auth/revoke-sessions");
    later(4.9);
    expect(await laptop.session()).toMatchObject({ status: 200 });
    later(0.2);
    expect(await laptop.session()).toEqual(UNSIGNED);
  });

  it("is looked up again after five minutes, and its cookie renewed", async () => {
    const { session, cookies } = await signIn();
    const first = cookies.get("__Host-tally.session_data");
    later(5.1);
    expect(await session()).toMatchObject({ status: 200 });
    expect(cookies.get("__Host-tally.session_data")).not.toBe(first);
  });

  it("lasts as long as it is used within thirty days", async () => {
    const used = await signIn();
    const unused = await signIn();
    later(29 * 24 * 60);
    expect(await used.session()).toMatchObject({ status: 200 });
    later(2 * 24 * 60);
    expect([(await used.session()).status, (await unused.session()).status]).toEqual([200, 401]);
  });

  it("ends after ninety days, however much it is used, and the cron takes its row", async () => {
    const { session, ask, email } = await signIn();
    const logins = () =>
      env.DB.prepare("SELECT count(*) AS n FROM logins WHERE user_id = (SELECT id FROM users WHERE email = ?)")
        .bind(email)
        .first("n");
    for (const days of [29, 29, 29, 2.9]) {
      later(days * 24 * 60);
      expect(await session()).toMatchObject({ status: 200 });
    }
    later(0.1 * 24 * 60);
    expect(await session()).toEqual(UNSIGNED);
    expect(await ask("POST", "/api/agent/turn", { threadId: "t", prompt: "hello" })).toEqual(UNSIGNED);
    expect(await logins()).toBe(1);
    await dropOld(openDb(env.DB), Date.now());
    expect(await logins()).toBe(0);
  });

  it("that is over starts no turn, although its cookie still says otherwise", async () => {
    const { ask, session, email } = await signIn();
    await env.DB.prepare("UPDATE logins SET expires_at_ms = ? WHERE user_id = (SELECT id FROM users WHERE email = ?)")
      .bind(Date.now() - 1, email)
      .run();
    expect(await session()).toMatchObject({ status: 200 });
    expect(await ask("POST", "/api/agent/turn", { threadId: "t", prompt: "hello" })).toEqual(UNSIGNED);
  });
});

describe("an invitation", () => {
  const AUTH = "/_framework/auth/organization";

  it("is deleted by the cron a day after it has expired, answered or not", async () => {
    const [ann, bob] = [await signIn(), await signIn()];
    const organizationId = await ann.openOrganization();
    const invite = (email: string) => ann.ask("POST", `${AUTH}/invite-member`, { email, organizationId });
    const left = async () => {
      await dropOld(openDb(env.DB), Date.now());
      const rows = env.DB.prepare(
        "SELECT email, status FROM invitations WHERE organization_id = ? ORDER BY created_at_ms",
      );
      return (await rows.bind(organizationId).all()).results;
    };
    const accepted = z.object({ id: z.string() }).parse((await invite(bob.email)).body);
    await bob.ask("POST", `${AUTH}/accept-invitation`, { invitationId: accepted.id });
    later(1);
    await invite("never@example.com");
    later(2 * 24 * 60);
    await invite("open@example.com");
    const open = { email: "open@example.com", status: "pending" };
    later(24 * 60 - 2);
    const never = { email: "never@example.com", status: "pending" };
    expect(await left()).toEqual([{ email: bob.email, status: "accepted" }, never, open]);
    later(1);
    expect(await left()).toEqual([never, open]);
    later(1);
    expect(await left()).toEqual([open]);
  });
});
