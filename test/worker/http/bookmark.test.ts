/** Reads after one's own changes: which moment of the database they ask for (decision 0071). */
import { env } from "cloudflare:test";
import { describe, it } from "vitest";
import { z } from "zod";
import { aroundMethod } from "../../support/around-method.ts";
import { signIn } from "../../support/workerd/sign-in.ts";

const LIST = "/_framework/actions/list-stocks";
const ADD = "/_framework/actions/add-stock";
const A_BOOKMARK = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";

/** Without a session everything goes to the database itself. */
const Start = z
  .string()
  .nullable()
  .transform((start) => start ?? "no session");

/** Where the D1 calls begin that name somebody: at a bookmark, at any copy, at the database itself. */
const watchStarts = (email: string): string[] => {
  const starts: string[] = [];
  aroundMethod(Object.getPrototypeOf(env.DB.withSession()), "_wrappedFetch", (session, [, init], call) => {
    const { body } = z.object({ body: z.string() }).parse(init);
    if (body.includes(email)) starts.push(Start.parse(Reflect.get(session, "bookmarkOrConstraint")));
    return call();
  });
  return starts;
};

const post = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) });

/** Somebody's browser, and what their requests have asked D1 since `starts` was last emptied. */
const watchedPerson = async () => {
  const browser = await signIn();
  return { browser, starts: watchStarts(browser.email) };
};

describe("a read", () => {
  it("is of any copy before one's own first change, and not older than the change after it", async ({ expect }) => {
    const { browser, starts } = await watchedPerson();
    await browser.request(LIST);
    expect(starts.splice(0)).toEqual(["first-unconstrained"]);
    await browser.request(ADD, post({ symbol: "AAPL" }));
    starts.length = 0;
    expect((await browser.ask("GET", LIST)).body).toMatchObject({ items: [{ symbol: "AAPL" }] });
    expect(starts).toEqual([browser.cookies.get("tally.bookmark")]);
  });

  it("moves on with each change, of the screen's place as well", async ({ expect }) => {
    const { browser } = await watchedPerson();
    await browser.request(ADD, post({ symbol: "AAPL" }));
    const first = browser.cookies.get("tally.bookmark") ?? "";
    await browser.request("/_framework/actions/set-navigation", post({ view: "stocks" }));
    expect((browser.cookies.get("tally.bookmark") ?? "") > first).toBe(true);
  });

  it.for([
    ["", "first-unconstrained"],
    ["x", "first-unconstrained"],
    ["first-primary", "first-unconstrained"],
    ["a%0d%0ab", "first-unconstrained"],
    ["%ff", "first-unconstrained"],
    [`${A_BOOKMARK}0`, "first-unconstrained"],
    [A_BOOKMARK.toUpperCase(), "first-unconstrained"],
    ["x".repeat(100), "first-unconstrained"],
    [A_BOOKMARK, A_BOOKMARK],
  ] as const)("with the cookie %s begins at %s", async ([cookie, start], { expect }) => {
    const { browser, starts } = await watchedPerson();
    browser.cookies.set("tally.bookmark", cookie);
    expect((await browser.ask("GET", LIST)).status).toBe(200);
    expect(starts).toEqual([start]);
  });
});

describe("a change", () => {
  it("reads and writes in the database itself, whatever the cookie says", async ({ expect }) => {
    const { browser, starts } = await watchedPerson();
    browser.cookies.set("tally.bookmark", A_BOOKMARK);
    const added = await browser.request(ADD, post({ symbol: "AAPL", idempotencyKey: "one" }));
    expect(added.status).toBe(200);
    expect(starts).toEqual(["first-primary", "first-primary", "first-primary"]);
  });

  it("that was made before hands out a moment too, when it is repeated under its key", async ({ expect }) => {
    const browser = await signIn();
    await browser.request(ADD, post({ symbol: "AAPL" }));
    const { id } = z
      .object({ items: z.tuple([z.object({ id: z.string() })]) })
      .parse((await browser.ask("GET", LIST)).body).items[0];
    const change = post({ id, set: { notes: "mine" }, idempotencyKey: "one" });
    await browser.request("/_framework/actions/update-stock", change);
    const first = browser.cookies.get("tally.bookmark") ?? "";
    browser.cookies.delete("tally.bookmark");
    expect((await browser.request("/_framework/actions/update-stock", change)).status).toBe(200);
    expect((browser.cookies.get("tally.bookmark") ?? "") >= first).toBe(true);
  });

  it("hands out its moment for five minutes, to the actions alone and to no script", async ({ expect }) => {
    const browser = await signIn();
    const response = await browser.request(ADD, post({ symbol: "AAPL" }));
    const [cookie = ""] = response.headers.getSetCookie().filter((one) => one.startsWith("tally.bookmark="));
    expect(cookie.replace(/=[\da-f-]{59}/, "=<bookmark>")).toBe(
      "tally.bookmark=<bookmark>; Max-Age=300; Path=/_framework/actions; HttpOnly; Secure; SameSite=Lax",
    );
    const read = await browser.request(LIST);
    const refused = await browser.request(ADD, post({ symbol: "AAPL" }));
    expect([...read.headers.getSetCookie(), ...refused.headers.getSetCookie()].join()).not.toContain("bookmark");
  });
});

it("what decides who may do what is asked of the database itself", async ({ expect }) => {
  const browser = await signIn();
  const { session } = z
    .object({ session: z.object({ id: z.string() }) })
    .parse((await browser.ask("GET", "/_framework/auth/get-session")).body);
  const starts = watchStarts(session.id);
  expect((await browser.ask("POST", ADD, { symbol: "AAPL" })).status).toBe(200);
  expect(starts).toEqual(["no session"]);
});
