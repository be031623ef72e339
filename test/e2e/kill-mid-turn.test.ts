/**
 * The whole thing killed in mid-turn, and started again on the same data: what a client with a real EventSource sees, be it
 * the developer's where sign-in is off, or that of somebody who has signed in.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { openDevClient } from "../support/dev-client.ts";
import { findFreePort, startDevServer } from "../support/dev-server.ts";
import { startMessagesApiServer } from "../support/messages-api-server.ts";
import { callTool, say } from "../support/model-script.ts";
import { holdMidStream } from "../support/model-troubles.ts";
import { scriptModel } from "../support/scripted-model.ts";

/** There are two starts, of some seconds each: wrangler bundles and boots, and migrates at the first. */
const TIMEOUT_MS = 120_000;

let model: Awaited<ReturnType<typeof startMessagesApiServer>>;

beforeAll(async () => {
  model = await startMessagesApiServer();
});

afterAll(() => model.close());

const DEVELOPER = { email: "dev@local.test", orgId: null, authDisabled: true };
const ANN = { email: "ann@example.com", orgId: null, authDisabled: false };

/** The options of the start, who signs in, and whom requests with and without the cookies are taken for. */
const WAYS = [
  ["where sign-in is off", [], undefined, DEVELOPER, { status: 200, body: DEVELOPER }],
  [
    "for who has signed in by a printed code",
    ["--auth"],
    ANN.email,
    ANN,
    { status: 401, body: { error: "Sign in to run the agent." } },
  ],
] as const;

/** Starts on one port and one directory, all of which are killed when the test is over. */
const startsOf = async (args: readonly string[]) => {
  const persistTo = await mkdtemp(join(tmpdir(), "tally-kill-"));
  onTestFinished(() => rm(persistTo, { recursive: true, force: true }));
  const port = await findFreePort();
  const env = { ANTHROPIC_API_KEY: "test-key", ANTHROPIC_BASE_URL: model.url };
  return async () => {
    const server = await startDevServer({ persistTo, port, env, args });
    onTestFinished(() => server.killGroup());
    return server;
  };
};

it.each(WAYS)(
  "a run goes on after kill -9 and a restart, and its client misses nothing, %s",
  { timeout: TIMEOUT_MS },
  async (_, args, email, person, nobody) => {
    const script = await scriptModel(model.url, [
      callTool("add-stock", { symbol: "AAPL", quantity: "10" }),
      holdMidStream("I have added it and now ", "I look."),
      say("I have added it."),
    ]);
    const start = await startsOf(args);
    const first = await start();
    const client = await openDevClient(first, email);
    const turn = await client.startTurn("t", script.prompt("Add 10 AAPL"));

    const hasDelta = Promise.withResolvers<void>();
    const reading = client.readToEnd(turn.events, (event) => {
      if (event.type === "text_delta") hasDelta.resolve();
      if (event.type === "permission_request") void client.decide(turn.runId, event.requestId, "allow_once");
    });
    await hasDelta.promise;
    await first.killGroup();

    const second = await start();
    const events = await reading;
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter(({ type }) => type === "run_start").map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(events.filter(({ type }) => type === "message_discard")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: "run_end", status: "completed" });
    expect(await client.post("/_framework/actions/list-stocks", {})).toMatchObject({
      items: [{ symbol: "AAPL", version: 1, updatedVia: "agent" }],
      total: 1,
    });
    expect(await client.get("/_framework/session")).toEqual({ status: 200, body: person });
    expect(await (await openDevClient(second)).get("/_framework/session")).toEqual(nobody);

    await script.add([say("You own AAPL.")]);
    await client.startTurn("t", "What do I own?");
    const next = await script.reaches(4, "answered");
    expect(JSON.stringify(next.body)).toContain("Add 10 AAPL");
    expect(await script.violations()).toEqual([]);
    expect(await second.stop()).toBe(0);
  },
);
