/** What the real SDK makes of a stream of its provider that breaks: `harness/agent-sdk/host-turn` goes by this. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { TurnLine } from "../../src/harness/agent-sdk/host-wire.ts";
import { say, toolUse } from "../support/model-script.ts";
import { blockFrames, event, openMessage, openText, textDelta } from "../support/model-server/message-frames.ts";
import type { Frame, Reply } from "../support/model-server/reply.ts";
import { MODEL, openRealHarness } from "./play.ts";
import { startProvider } from "./provider.ts";

/** The beginnings and ends of messages, and how the turn ended. */
const story = (lines: readonly TurnLine[]): string[] =>
  lines.flatMap((line) => {
    if (line.type !== "message") return [];
    const { type, event, is_error: isError } = Object(line.message);
    if (type === "result") return [isError === true ? "error" : "success"];
    return ["message_start", "message_stop"].includes(event?.type) ? [event.type] : [];
  });

/** A turn whose first answer has these frames, and breaks once an event of this type, their last one, has arrived. */
const broken = async (key: string, frames: readonly Frame[], last: string, end: Frame) => {
  const provider = await startProvider();
  onTestFinished(provider.close);
  const host = await openRealHarness(provider);
  onTestFinished(host.close);
  const first: Reply = { type: "stream", frames: [...frames, { type: "hold" }, end] };
  await provider.script(key, [first, say("Whole.")]);
  const turn = { turnId: key, sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
  const begin = { type: "new", prompt: `[script:${key}] go` };
  // A connection that is cut takes along what has not been read.
  const onLine = (line: TurnLine) => {
    const type = line.type === "message" ? Object(line.message).event?.type : undefined;
    if (type === last) void fetch(`${provider.url}/release/${key}`, { method: "POST" });
  };
  const lines = await host.turn({ ...turn, begin }, () => ({ type: "allow" }), onLine);
  const requests = await provider.requests(key);
  return { host, told: story(lines), streams: requests.map(({ body }) => Object(body).stream) };
};

const TEXT: readonly Frame[] = [...openMessage(), openText(0), textDelta(0, "Who")];

const CUT: Frame = { type: "cut" };

it("a message whose connection is lost in a text is ended by the SDK, and then streamed again as a whole", async () => {
  const { told, streams } = await broken("cut-text", TEXT, "content_block_delta", CUT);
  expect(told).toEqual(["message_start", "message_stop", "message_start", "message_stop", "success"]);
  expect(streams).toEqual([true, true]);
});

it("a message that ends with an error ends the turn, and is not asked for once more as a whole", async () => {
  const error = event("error", { error: { type: "overloaded_error", message: "Overloaded" } });
  const { told, streams } = await broken("error", TEXT, "content_block_delta", error);
  expect(told).toEqual(["message_start", "message_stop", "error"]);
  expect(streams).toEqual([true]);
});

it("a message whose connection is lost behind a call is ended by the SDK, and the call runs once", async () => {
  const input = { command: "echo once >> effect.txt", description: "" };
  const call = [...openMessage(), ...blockFrames(toolUse({ name: "Bash", input }), 0)];
  const { host, told } = await broken("cut-call", call, "content_block_stop", CUT);
  expect(told).toEqual(["message_start", "message_stop", "message_start", "message_stop", "success"]);
  expect(readFileSync(join(host.dir, "effect.txt"), "utf8")).toBe("once\n");
});
