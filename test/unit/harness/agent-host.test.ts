/** What the client of a harness host reads of its lines. */
import { expect, it } from "vitest";
import { AgentHost } from "../../../src/harness/agent-sdk/agent-host.ts";
import type { TurnCall, TurnLine } from "../../../src/harness/agent-sdk/host-wire.ts";

const STARTED = { type: "started", sdkVersion: "0.3.330", sessionId: crypto.randomUUID() };
const CALL: TurnCall = {
  ...{ turnId: crypto.randomUUID(), sessionId: STARTED.sessionId },
  ...{ begin: { type: "new", prompt: "Hello" }, tools: [] },
};
const ENDED = { type: "ended", end: "result", message: "" };

/** The lines of a turn on a host that sends these. */
const readAll = async (...lines: readonly object[]): Promise<TurnLine[]> => {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const host = new AgentHost(async () => new Response(body), {
    stat: async () => undefined,
    read: async () => ({ bytes: new Uint8Array(), size: 0 }),
  });
  const read: TurnLine[] = [];
  for await (const line of host.turn(CALL, new AbortController().signal)) read.push(line);
  return read;
};

it("a line of a type that a later host has is passed over", async () => {
  expect(await readAll(STARTED, { type: "later", what: 1 }, { type: "alive" }, ENDED)).toEqual([STARTED, ENDED]);
});

it("a known line that cannot be read ends the turn", async () => {
  await expect(readAll(STARTED, { type: "tool", name: 1 }, ENDED)).rejects.toMatchObject({ code: "unavailable" });
});
