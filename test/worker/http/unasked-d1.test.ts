/** What people who have not signed in, and people who ask without end, can cost the one database all share. */
import { env, SELF } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runMinute } from "../../../src/account/run-cron.ts";
import { countAttempt } from "../../../src/auth/count-attempts.ts";
import { openDb } from "../../../src/db/db.ts";
import { answerOf } from "../../support/workerd/answer.ts";
import { countD1 } from "../../support/workerd/count-d1.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { holdTimers } from "../../support/workerd/held-timers.ts";
import { inOneMinute, overRate, useUp } from "../../support/workerd/over-rate.ts";
import { aBrowser, type Browser, signIn } from "../../support/workerd/sign-in.ts";
import worker from "../../support/workerd/test-worker.ts";

const HEALTH = "/_framework/health";
const CODE_PATH = "/_framework/auth/email-otp/send-verification-otp";
const SIGN_IN_PATH = "/_framework/auth/sign-in/email-otp";
const LIMITED = { status: 429, body: { error: "Too many requests. Try again later." } };

const PING = String.raw`\"sql\":\"SELECT 1\"`;
const COUNTER = "sign_in_attempts";

const anAddress = () => `198.51.100.${crypto.getRandomValues(new Uint8Array(1))[0]}-${crypto.randomUUID()}`;

const ask = (path: string, address: string, body?: unknown) =>
  SELF.fetch(`https://tally.test${path}`, {
    headers: { "cf-connecting-ip": address, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});

afterEach(() => {
  vi.useRealTimers();
});

describe("the health answer", () => {
  it("asks D1 once a second, whoever asks how often", async () => {
    vi.setSystemTime(Date.now() + 10_000);
    const pings = countD1();
    const statuses: number[] = [];
    for (let time = 0; time < 20; time += 1) statuses.push((await ask(HEALTH, anAddress())).status);
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
    expect(pings(PING)).toBe(1);
    vi.setSystemTime(Date.now() + 1_001);
    await ask(HEALTH, anAddress());
    expect(pings(PING)).toBe(2);
  });

  /** Asks for the health of a Worker whose D1 prepares statements as the test says. */
  const healthOf = (prepare: () => D1Database["prepare"]) => {
    const DB: D1Database = new Proxy(env.DB, {
      get: (db, name) => (name === "prepare" ? (text: string) => prepare()(text) : Reflect.get(db, name)),
    });
    return async () => (await worker.request(HEALTH, {}, { ...env, DB })).status;
  };

  it("that was bad is good again a second later", async () => {
    let prepare: D1Database["prepare"] = () => {
      throw new Error("D1_ERROR: Network connection lost.");
    };
    const health = healthOf(() => prepare);
    expect(await health()).toBe(503);
    prepare = (text) => env.DB.prepare(text);
    expect(await health()).toBe(503);
    vi.setSystemTime(Date.now() + 1_001);
    expect(await health()).toBe(200);
  });

  it("of a slow D1 counts from when it came", async () => {
    let pings = 0;
    const health = healthOf(() => (text) => {
      pings += 1;
      vi.setSystemTime(Date.now() + 1_500);
      return env.DB.prepare(text);
    });
    expect([await health(), await health(), pings]).toEqual([200, 200, 1]);
  });

  it("is 503 where D1 says nothing", async () => {
    const silent: D1PreparedStatement = new Proxy(env.DB.prepare("SELECT 1"), {
      get: (_, name) => (name === "bind" ? () => silent : () => new Promise(() => {})),
    });
    const timers = holdTimers(5_000);
    const answered = healthOf(() => () => silent)();
    await timers.ringHere();
    expect(await answered).toBe(503);
  });
});

describe("an address that asks without end", () => {
  it.each([
    ["health", HEALTH, undefined],
    ["codes", CODE_PATH, { email: "ann@example.com" }],
    ["tries", SIGN_IN_PATH, { email: "ann@example.com", otp: "123456" }],
    ["log-ins", "/_framework/auth/get-session", undefined],
  ] as const)(
    "is refused before D1: %s",
    inOneMinute(async (_, path, body) => {
      const address = anAddress();
      const refused = await overRate(env.ADDRESS_LIMIT, address, () => ask(path, address, body));
      expect(await answerOf(refused)).toEqual(LIMITED);
      const calls = countD1();
      expect((await ask(path, address, body)).headers.get("Retry-After")).toBe("60");
      expect([calls(PING), calls(COUNTER)]).toEqual([0, 0]);
    }),
  );
});

describe("a log-in that is looked up", () => {
  /** Asks with only the cookie that names the log-in. */
  const askAs = async (browser: Browser, address: string) => {
    browser.dropCookieCache();
    return await browser.request("/_framework/session", { headers: { "cf-connecting-ip": address } });
  };

  it(
    "without end from one address is refused before D1, whether it is there or gone",
    inOneMinute(async () => {
      const [live, gone, address] = [await signIn(), await signIn(), anAddress()];
      const token = new Map(gone.cookies);
      await gone.ask("POST", "/_framework/auth/sign-out", {});
      for (const [name, value] of token) gone.cookies.set(name, value);
      expect((await askAs(gone, anAddress())).status).toBe(401);
      for (const [name, value] of token) gone.cookies.set(name, value);
      expect((await overRate(env.ADDRESS_LIMIT, address, () => askAs(gone, address))).status).toBe(429);
      for (const [name, value] of token) gone.cookies.set(name, value);
      const calls = countD1();
      expect([(await askAs(gone, address)).status, (await askAs(live, address)).status]).toEqual([429, 429]);
      expect(calls("logins")).toBe(0);
    }),
  );

  it(
    "counts beside the signed copy of another one, or one that has run out, as well",
    inOneMinute(async () => {
      const [mine, other, address] = [await signIn(), await signIn(), anAddress()];
      expect((await overRate(env.ADDRESS_LIMIT, address, () => askAs(other, address))).status).toBe(429);
      const headers = { "cf-connecting-ip": address };
      const fresh = await signIn();
      for (const [name, value] of fresh.cookies) if (name.includes("session_data")) other.cookies.set(name, value);
      expect((await other.request("/_framework/session", { headers })).status).toBe(429);
      vi.setSystemTime(Date.now() + 5 * 60_000 + 1_000);
      expect((await mine.request("/_framework/session", { headers })).status).toBe(429);
    }),
  );

  const pairOf = ({ cookies }: Browser, part: string) =>
    [...cookies].flatMap(([name, value]) => (name.includes(part) ? [`${name}=${value}`] : [])).join();

  it.each([
    ["in one whose name ends alike", (token: string) => `x_${token}`],
    ["in a second one", (token: string) => token],
    ["in a second one with a blank", (token: string) => token.replace("=", " =")],
  ])("counts beside the signed copy of another one whose token is there %s", (_where, decoy) =>
    inOneMinute(async () => {
      const [mine, other, third, address] = [await signIn(), await signIn(), await signIn(), anAddress()];
      expect((await overRate(env.ADDRESS_LIMIT, address, () => askAs(third, address))).status).toBe(429);
      const cookies = [pairOf(other, "session_token"), pairOf(mine, "session_data")];
      const more = decoy(pairOf(mine, "session_token"));
      for (const cookie of [[...cookies, more].join("; "), [more, ...cookies].join("; ")]) {
        const headers = { cookie, "cf-connecting-ip": address };
        expect((await worker.request("https://tally.test/_framework/session", { headers }, env)).status).toBe(429);
      }
    })(),
  );

  it(
    "is not counted while its signed copy answers",
    inOneMinute(async () => {
      const [browser, other, address] = [await signIn(), await signIn(), anAddress()];
      expect((await overRate(env.ADDRESS_LIMIT, address, () => askAs(other, address))).status).toBe(429);
      const headers = { "cf-connecting-ip": address };
      expect((await browser.request("/_framework/session", { headers })).status).toBe(200);
    }),
  );
});

describe("a counter of sign-in that is full", () => {
  const email = () => `${crypto.randomUUID()}@example.com`;

  it("is neither written nor asked again before its window ends", async () => {
    const browser = aBrowser();
    const [own] = [email()];
    const codes = async (times: number) => {
      const statuses: number[] = [];
      for (let time = 0; time < times; time += 1) statuses.push((await browser.askForCode(own)).status);
      return statuses;
    };
    expect(await codes(6)).toEqual([200, 200, 200, 200, 200, 429]);
    const calls = countD1();
    expect(await codes(3)).toEqual([429, 429, 429]);
    // One counter by address each, which is not full; the one of the e-mail is known to be.
    expect(calls(COUNTER)).toBe(3);
    vi.setSystemTime(Date.now() + 15 * 60_000);
    expect(await codes(1)).toEqual([200]);
  });

  it("says how long to wait in another place, too, and is not written there", async () => {
    const limit = { name: "test", of: email(), max: 1, windowMs: 60_000 };
    const secret = crypto.randomUUID();
    const countIn = (DB: D1Database) => countAttempt(openDb(DB), secret, [limit], Date.now());
    expect([await countIn(env.DB), await countIn(env.DB)]).toEqual([undefined, 60]);
    const key = await env.DB.prepare("SELECT key FROM sign_in_attempts ORDER BY rowid DESC").first("key");
    const counted = () => env.DB.prepare("SELECT count FROM sign_in_attempts WHERE key = ?").bind(key).first("count");
    const before = await counted();
    expect(before).toBeGreaterThan(0);
    const elsewhere = new Proxy(env.DB, {
      get: (db, name) => {
        const value: unknown = Reflect.get(db, name);
        return typeof value === "function" ? value.bind(db) : value;
      },
    });
    expect(await countIn(elsewhere)).toBe(60);
    expect(await counted()).toBe(before);
  });
});

it(
  "a person who reads without end is refused, and their other reads as well",
  inOneMinute(async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const refused = await overRate(env.READ_LIMIT, email, () => fetchAs(email, "/_framework/threads"));
    expect(await answerOf(refused)).toEqual(LIMITED);
    expect((await fetchAs(email, "/_framework/session")).status).toBe(429);
    expect((await fetchAs(`other-${email}`, "/_framework/threads")).status).toBe(200);
  }),
);

it(
  "a person who changes without end is refused before their log-in is looked up, whatever the route",
  inOneMinute(async () => {
    const [ann, other] = [await signIn(), await signIn()];
    const abort = `/_framework/runs/${crypto.randomUUID()}/abort`;
    const post = async ({ ask: send }: Browser) => [
      await send("POST", abort, {}),
      await send("POST", "/_framework/actions/list-stocks", {}),
      await send("POST", "/api/agent/turn", {}),
    ];
    await useUp(env.CHANGE_LIMIT, ann.email);
    const calls = countD1();
    expect(await post(ann)).toEqual([LIMITED, LIMITED, LIMITED]);
    expect(calls("")).toBe(0);
    expect((await post(other)).map(({ status }) => status)).toEqual([404, 200, 400]);
  }),
);

it("keys of idempotency go with the cron when they are older than a day", async () => {
  const owner = crypto.randomUUID();
  const nowMs = Date.now();
  const insert = (key: string, createdAtMs: number) =>
    env.DB.prepare("INSERT INTO idempotency_keys VALUES (?, 'action', ?, 'hash', '{}', ?)").bind(
      owner,
      key,
      createdAtMs,
    );
  await env.DB.batch([insert("old", nowMs - 24 * 3_600_000 - 1), insert("young", nowMs - 24 * 3_600_000 + 60_000)]);
  await runMinute(env, nowMs);
  const { results } = await env.DB.prepare("SELECT key FROM idempotency_keys WHERE owner_email = ?").bind(owner).all();
  expect(results).toEqual([{ key: "young" }]);
});
