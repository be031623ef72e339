/** The export of an account: one JSON file with everything of the person, and nothing that signs anybody in. */
import { env, runInDurableObject } from "cloudflare:test";
import { expect, inject, it } from "vitest";
import { continueDeletion, SETTLE_MS } from "../../../src/account/delete-account.ts";
import { exportAccount } from "../../../src/account/export-account.ts";
import { exportRun } from "../../../src/account/export-run.ts";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { insertNotice } from "../../../src/db/notices/outbox.ts";
import { openDurableWorkspace, workspaceObjectOf } from "../../../src/workspace/durable/durable-workspace.ts";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { aFullAccount } from "../../support/workerd/a-full-account.ts";
import { askAsDeveloper } from "../../support/workerd/ask-as-developer.ts";
import { shiftedClock } from "../../support/workerd/shifted-clock.ts";
import { aBrowser, signIn } from "../../support/workerd/sign-in.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import worker from "../../support/workerd/test-worker.ts";

const PATH = "/_framework/account/export";

it("holds everything there is of a person", async () => {
  const { request, email, cookies, finished, live } = await aFullAccount();
  const answer = await request(PATH);
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="tally-\d{4}-\d\d-\d\d\.json"$/);
  const text = await answer.text();
  const whole = JSON.parse(text);
  expect(whole).toMatchObject({
    exportedAt: expect.any(String),
    email,
    account: { email },
    logins: [{ id: expect.any(String) }],
    organizations: [{ name: "Home", role: "owner" }],
    screen: { view: "stocks" },
    stocks: [{ symbol: "AAPL", notes: "mine", tags: ["fruit"] }],
    stockEvents: [{ action: expect.any(String), after: expect.objectContaining({ symbol: "AAPL" }) }],
    runMarks: [{ run_id: finished.runId, is_replaced: 1 }],
    files: [
      { path: "/notes.md", text: "Grüße" },
      { path: "/raw.bin", base64: "/wAB" },
    ],
  });
  expect(whole.threads).toHaveLength(2);
  expect(whole.sessions.flatMap((session: { conversation: unknown[] }) => session.conversation)).toMatchObject([
    { role: "assistant", content: { type: "text", text: "Hello." } },
    { role: "user", content: { text: expect.stringContaining("hello") } },
    { role: "user", content: { text: expect.stringContaining("<context>") } },
  ]);
  expect(whole.sessions.map((session: { compactions: unknown[] }) => session.compactions)).toEqual([[], []]);
  const runs = new Map(whole.runs.map((run: { run_id: string }) => [run.run_id, run]));
  expect(runs.get(finished.runId)).toMatchObject({
    ...{ status: "completed", prompt: expect.stringContaining("hello"), costUsd: "0.00007" },
  });
  expect(runs.get(finished.runId)).toMatchObject({
    events: expect.arrayContaining([expect.objectContaining({ type: "run_end" })]),
  });
  expect(runs.get(live.runId)).toMatchObject({
    status: "running",
    events: expect.arrayContaining([expect.objectContaining({ type: "run_start" })]),
  });
  expect(text).not.toContain(cookies.get("__Host-tally.session_token")?.split(".")[0]);
});

it("has as JSON what is stored as its text, and the person's own texts as they are", async () => {
  const { ask, email } = await signIn();
  await ask("POST", "/_framework/actions/add-stock", { symbol: "AAPL", notes: '["mine"]', tags: ["Fruit"] });
  await ask("POST", "/_framework/actions/add-stock", { symbol: "MSFT" });
  const stored = {
    instrument: { source: "eodhd", symbol: "AAPL.US", exchange: null, name: "Apple" },
    pending_split: { day: "2026-11-20", numerator: 10, denominator: 1 },
    last_alert: { side: "low", at: "2026-11-19T14:31:00.000Z", price: "149.9" },
    alert_marks: { low: { target: "150", isArmed: true } },
    quote_mark: { kind: "day", session: "2026-11-20", closedOn: null, isHeld: false },
  };
  const columns = Object.keys(stored).map((column) => `${column} = json_extract(?2, '$.${column}')`);
  const update = `UPDATE stocks SET ${columns.join(", ")} WHERE owner_email = ?1 AND symbol = 'AAPL'`;
  await env.DB.prepare(update).bind(email, JSON.stringify(stored)).run();
  await env.DB.prepare("UPDATE stocks SET quote_mark = 'waits' WHERE owner_email = ?1 AND symbol = 'MSFT'")
    .bind(email)
    .run();
  const news = {
    ownerEmail: OwnerEmail.parse(email),
    dedupKey: "n",
    kind: "target",
    tag: "t",
    title: "AAPL",
    url: "/",
  };
  const nowMs = Date.now();
  await insertNotice(openDb(env.DB), { ...news, kind: "target", expiresAtMs: nowMs }, { nowMs, dueAtMs: nowMs }).run();
  const { body } = await ask("GET", PATH);
  const [apple, microsoft] = Object(body).stocks.toSorted((one: { symbol: string }, other: { symbol: string }) =>
    one.symbol < other.symbol ? -1 : 1,
  );
  expect(apple).toMatchObject({ ...stored, notes: '["mine"]', tags: ["Fruit"], tag_keys: ["fruit"] });
  expect(microsoft).toMatchObject({ quote_mark: "waits", instrument: null, tags: [] });
  expect(Object(body).notices).toMatchObject([{ devices: [] }]);
});

it("has what a person has set, without the key that they entered", async () => {
  const { ask, email } = await signIn();
  await env.DB.prepare(
    "INSERT INTO settings (owner_email, base_currency, quotes_source, quotes_key) VALUES (?, 'CHF', 'eodhd', 'sealed-key')",
  )
    .bind(email)
    .run();
  const { body } = await ask("GET", PATH);
  expect(body).toMatchObject({ settings: { baseCurrency: "CHF", quotesSource: "eodhd" } });
  expect(JSON.stringify(body)).not.toContain("sealed-key");
});

it("asks for each file, though their paths together are more than one call returns", async () => {
  const owner = OwnerEmail.parse(`${crypto.randomUUID()}@example.com`);
  await (await openDurableWorkspace(env.WORKSPACES, owner)).write("notes.md", new TextEncoder().encode("mine"));
  await runInDurableObject(await workspaceObjectOf(env.WORKSPACES, owner), (_, { storage }) =>
    storage.sql.exec(
      `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 9000)
       INSERT INTO cf_workspace_default (path, parent_path, name, type)
       SELECT '/' || name, '/', name, 'file' FROM (SELECT n || hex(zeroblob(2000)) AS name FROM n)`,
    ),
  );
  const asked: string[] = [];
  // Thousands of files would be read one by one: each has been deleted meanwhile.
  const wholeFile = async (path: string) => {
    asked.push(path);
    return null;
  };
  const WORKSPACES = new Proxy(env.WORKSPACES, {
    get: (objects, name) =>
      name === "getByName"
        ? (id: string) =>
            new Proxy(objects.getByName(id), {
              get: (object, called) => (called === "wholeFile" ? wholeFile : Reflect.get(object, called)),
            })
        : Reflect.get(objects, name).bind(objects),
  });
  const whole = await new Response(exportAccount({ ...env, WORKSPACES }, owner, new Date())).json();
  expect(whole).toMatchObject({ files: [] });
  expect([asked.length, new Set(asked).size, asked.includes("/notes.md")]).toEqual([9_001, 9_001, true]);
});

const NOTHING = { stocks: [], threads: [], runs: [], files: [] };

it("of somebody who has nothing is whole as well", async () => {
  const { ask, email } = await signIn();
  expect(await ask("GET", PATH)).toMatchObject({ status: 200, body: { email, account: { email }, ...NOTHING } });
});

it("is given to the developer where sign-in is off", async () => {
  const { status, body } = await askAsDeveloper("GET", PATH);
  expect(status).toBe(200);
  // Other files have the same developer, who may have chats and files of theirs.
  expect(body).toMatchObject({ email: "dev@local.test", account: null });
  const { ask } = await signIn();
  expect(Object.keys(Object(body))).toEqual(Object.keys(Object((await ask("GET", PATH)).body)));
});

it("is given twenty times an hour, and what is wrong with the log-in is said first", async () => {
  const { ask, request, email } = await signIn();
  const statuses: number[] = [];
  for (let time = 0; time < 20; time += 1) statuses.push((await ask("GET", PATH)).status);
  expect(statuses).toEqual(statuses.map(() => 200));
  const refused = await request(PATH);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toEqual({ error: "Too many requests. Try again later." });
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(3_000);
  expect((await (await signIn()).ask("GET", PATH)).status).toBe(200);
  await (await signIn(email)).ask("POST", "/_framework/auth/revoke-sessions");
  expect((await ask("GET", PATH)).status).toBe(401);
});

it("is refused to a page of another site, before it is counted and whoever it is", async () => {
  const { request } = await signIn();
  const from = (site: string, { request: send } = { request }) => send(PATH, { headers: { "sec-fetch-site": site } });
  const refused = await Promise.all([
    from("cross-site", aBrowser()),
    ...Array.from({ length: 21 }, () => from("cross-site")),
  ]);
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
  expect(await refused[0]?.json()).toEqual({ error: "Cross-site requests are refused." });
  const answers = [await from("none"), await from("same-origin"), await request(PATH)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await Promise.all(answers.map((answer) => answer.text()));
});

it("is given to nobody by a revoked log-in", async () => {
  const { ask, email } = await signIn();
  await (await signIn(email)).ask("POST", "/_framework/auth/revoke-sessions");
  expect(await ask("GET", PATH)).toMatchObject({ status: 401 });
});

it("is given to nobody who is not signed in", async () => {
  expect(await aBrowser().ask("GET", PATH)).toMatchObject({ status: 401 });
});

/** Reads on, as slowly as one likes, until the text that came includes `mark`. */
const readUpTo = async (mark: string, reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
  const decoder = new TextDecoder();
  let text = "";
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += decoder.decode(piece.value, { stream: true });
    if (text.includes(mark)) return;
  }
};

it.each([
  ["goes on", 0, false],
  ["is over", SETTLE_MS, true],
])("breaks rather than leave out chats when a deletion of the account %s at its end", async (_, ageMs, isOver) => {
  const { owner } = await aFullAccount();
  const reader = exportAccount(env, owner, new Date()).getReader();
  await readUpTo('"sessions":[', reader);
  const deletion = { ownerEmail: owner, requestedAtMs: Date.now() - ageMs };
  await requestDeletion(openDb(env.DB), owner, deletion.requestedAtMs);
  expect(await continueDeletion(env, deletion, Date.now())).toBe(isOver);
  await expect(readUpTo("}\n", reader)).rejects.toThrow("being deleted");
});

/** An export that one browser has begun to read, and what its owner does in another one. */
const aBegunExport = async () => {
  const { ask, email, cookies } = await signIn();
  await ask("POST", "/_framework/actions/add-stock", { symbol: "AAPL" });
  const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
  const { body } = await worker.request(`https://tally.test${PATH}`, { headers: { cookie } }, env);
  if (body === null) throw new Error("Nothing is exported.");
  const reader = body.getReader();
  await readUpTo('"exportedAt"', reader);
  const signOutOthers = async () => (await signIn(email)).ask("POST", "/_framework/auth/revoke-other-sessions");
  return { reader, signOutOthers };
};

it("breaks off at the end of a list when its log-in has been revoked", async () => {
  const { reader, signOutOthers } = await aBegunExport();
  await readUpTo("AAPL", reader);
  await signOutOthers();
  await expect(readUpTo("}\n", reader)).rejects.toThrow("log-in has ended");
});

it("breaks off within a list when its log-in was revoked and is read on a minute later", async () => {
  const clock = shiftedClock();
  const { reader, signOutOthers } = await aBegunExport();
  await signOutOthers();
  clock.forward(60_000);
  await expect(readUpTo("AAPL", reader)).rejects.toThrow("log-in has ended");
});

type RunStub = ReturnType<typeof env.RUNS.getByName>;

/** A run that has ended, exported while `cut` stands between its event stream and the export. */
const exportCut = async (cut: (whole: Response) => Promise<Response>, text = "Hello.") => {
  const person = somebody();
  const model = await scriptModel(inject("modelUrl"), [say(text)]);
  const { runId, events } = await person.startTurn("t", model.prompt(text));
  const all = await person.events(events);
  const RUNS = new Proxy(env.RUNS, {
    get: (runs, name) =>
      name === "getByName"
        ? (id: string) =>
            new Proxy(runs.getByName(id), {
              get: (run, called) =>
                called === "fetch"
                  ? async (...args: Parameters<RunStub["fetch"]>) => await cut(await run.fetch(...args))
                  : Reflect.get(run, called),
            })
        : Reflect.get(runs, name).bind(runs),
  });
  const read = async () => {
    const pieces: string[] = [];
    const run = exportRun({ ...env, RUNS }, OwnerEmail.parse(person.email), { run_id: runId });
    for await (const piece of run) pieces.push(piece);
    return JSON.parse(pieces.join(""));
  };
  return { all, read };
};

/** Ends it cleanly after two events, as a run does that was read too slowly, or for 15 minutes. */
const afterTwo = async (whole: Response): Promise<Response> =>
  new Response(/^[\s\S]*?(?:id: .*\ndata: .*\n\n){1,2}/.exec(await whole.text())?.[0] ?? null, whole);

it("reads a run's events to the end, though the run ends the stream before it", async () => {
  const { all, read } = await exportCut(afterTwo);
  expect(all.length).toBeGreaterThan(4);
  expect(await read()).toMatchObject({ events: all });
});

it("reads events whose texts have the line ends of Unicode", async () => {
  const { all, read } = await exportCut(async (whole) => whole, "one\u2028two\u2029three");
  expect(await read()).toMatchObject({ events: all });
});

it.each([
  ["leaves one out", async (whole: Response) => new Response((await whole.text()).replace(/id: 1\n.*\n\n/, ""))],
  ["ends before the first event", async () => new Response(": connected\n\n")],
  ["has too many subscribers", async () => new Response(null, { status: 503 })],
])("breaks rather than leave out events when the stream %s", async (_, cut) => {
  const { read } = await exportCut(cut);
  await expect(read()).rejects.toThrow(/no event after 0/);
});
