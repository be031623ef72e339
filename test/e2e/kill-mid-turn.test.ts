/** The whole thing killed in mid-turn, and started again on the same data: what a client with a real EventSource sees. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EventSource } from "eventsource";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { TurnStartResponse } from "../../src/contract/turn.ts";
import { type DevServer, findFreePort, startDevServer } from "../support/dev-server.ts";
import { startMessagesApiServer } from "../support/messages-api-server.ts";
import { callTool, say } from "../support/model-script.ts";
import { holdMidStream } from "../support/model-troubles.ts";
import { scriptModel } from "../support/scripted-model.ts";

/** A start takes some seconds: wrangler bundles, migrates and boots twice. */
const TIMEOUT_MS = 120_000;

let persistTo: string;
let model: Awaited<ReturnType<typeof startMessagesApiServer>>;

beforeAll(async () => {
  persistTo = await mkdtemp(join(tmpdir(), "tally-kill-"));
  model = await startMessagesApiServer();
});

afterAll(async () => {
  await model.close();
  await rm(persistTo, { recursive: true, force: true });
});

const Received = z.looseObject({ type: z.string(), seq: z.int() });
type Received = z.infer<typeof Received>;

/** Reads a run with a native-style EventSource until `run_end`; it reconnects by itself, through the restart. */
const readToEnd = (url: string, onEvent: (event: Received) => void): Promise<Received[]> => {
  const { promise, resolve } = Promise.withResolvers<Received[]>();
  const events: Received[] = [];
  const source = new EventSource(url);
  source.addEventListener("message", ({ data }) => {
    const event = Received.parse(JSON.parse(data));
    events.push(event);
    onEvent(event);
    if (event.type !== "run_end") return;
    source.close();
    resolve(events);
  });
  return promise;
};

const post = async (url: string, body: unknown): Promise<unknown> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return await response.json();
};

it(
  "a run goes on after kill -9 and a restart, and its client misses nothing",
  async () => {
    const script = await scriptModel(model.url, [
      callTool("add-stock", { symbol: "AAPL", quantity: "10" }),
      holdMidStream("I have added it and now ", "I look."),
      say("I have added it."),
    ]);
    const port = await findFreePort();
    const env = { ANTHROPIC_API_KEY: "test-key", ANTHROPIC_BASE_URL: model.url };
    const first = await startDevServer({ persistTo, port, env });
    const turn = TurnStartResponse.parse(
      await post(`${first.url}/api/agent/turn`, { threadId: "t", prompt: script.prompt("Add 10 AAPL") }),
    );

    const hasDelta = Promise.withResolvers<void>();
    const reading = readToEnd(`${first.url}${turn.events}`, (event) => {
      if (event.type === "text_delta") hasDelta.resolve();
      if (event.type === "permission_request") void allow(first, turn.runId, event);
    });
    await hasDelta.promise;
    await first.killGroup();

    const second = await startDevServer({ persistTo, port, env });
    const events = await reading;
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter(({ type }) => type === "run_start").map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(events.filter(({ type }) => type === "message_discard")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: "run_end", status: "completed" });
    expect(await post(`${second.url}/_framework/actions/list-stocks`, {})).toMatchObject({
      items: [{ symbol: "AAPL", version: 1, updatedVia: "agent" }],
      total: 1,
    });

    await script.add([say("You own AAPL.")]);
    await post(`${second.url}/api/agent/turn`, { threadId: "t", prompt: "What do I own?" });
    const next = await script.reaches(4, "answered");
    expect(JSON.stringify(next.body)).toContain("Add 10 AAPL");
    expect(await script.violations()).toEqual([]);
    expect(await second.stop()).toBe(0);
  },
  TIMEOUT_MS,
);

const allow = (server: DevServer, runId: string, event: Received): Promise<unknown> =>
  post(`${server.url}/_framework/runs/${runId}/permissions/${event.requestId}`, { decision: "allow_once" });
