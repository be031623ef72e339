/**
 * The process of one turn: loads the SDK, asks the host what must be asked, and writes `TurnLine`s. It founds a process group, in
 * which the SDK's binary runs too. It ends when the SDK has sent its result, or when its standard input ends: then the host is gone.
 */
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { parseJson } from "../../contract/parse-json.ts";
import type { TurnLine } from "../../harness/agent-sdk/host-wire.ts";
import { readLines } from "../../workspace/host/host-answer.ts";
import { openRoot } from "../../workspace-server/workspace-root.ts";
import { AgentAnswer, AgentStart } from "./agent-start.ts";
import { Gate } from "./gate.ts";
import { HostedTools } from "./hosted-tools.ts";
import { queryOptions } from "./query-options.ts";
import { Questions } from "./questions.ts";
import { loadSdk } from "./sdk-module.ts";

/**
 * Leaves out the bytes of images and documents that were read. The Worker only names these files, and on a slow network their bytes
 * would delay all later lines so long that the Worker takes the turn for lost.
 */
const withoutBytes = (key: string, value: unknown): unknown => (key === "data" ? undefined : value);

const send = (line: TurnLine): void => {
  const isInput = line.type === "message" && line.message.type === "user";
  process.stdout.write(`${JSON.stringify(line, isInput ? withoutBytes : undefined)}\n`);
};

const Message = z.looseObject({ type: z.string() });

/** How long the SDK has to add its notes to the session's file after a result, in ms. It takes a few. */
const LAST_NOTES_MS = 200;

/** An input that adds no message and stays open until the turn ends: an input that ends closes the SDK's channel for questions. */
const openInput = () => {
  const ended = Promise.withResolvers<void>();
  const input: AsyncIterable<never> = {
    [Symbol.asyncIterator]: () => ({ next: () => ended.promise.then(() => ({ done: true, value: undefined })) }),
  };
  return { input, end: ended.resolve };
};

const run = async (start: AgentStart, questions: Questions): Promise<void> => {
  const { turn, setup } = start;
  const root = await openRoot(start.dir, start.stateDir);
  const { tools: offered, sessionId } = turn;
  const gate = new Gate({ root, tools: offered, questions, home: start.home, sessionId });
  const tools = new HostedTools({ tools: offered, questions, gate });
  const { query } = await loadSdk(setup.sdk.entry);
  send({ type: "started", sdkVersion: setup.sdk.version, sessionId });
  const open = openInput();
  const prompt = turn.begin.type === "deferred" ? open.input : turn.begin.prompt;
  let hasResult = false;
  try {
    for await (const given of query({ prompt, options: queryOptions(start, { gate, tools, guarded: root.guarded }) })) {
      const { tool_use_result: _, ...message } = Message.parse(given);
      send({ type: "message", message });
      if (message.type !== "result") continue;
      hasResult = true;
      open.end();
      // A person is asked, so whatever the SDK would do next has to wait for the answer.
      if (!gate.isAsked) continue;
      await delay(LAST_NOTES_MS);
      break;
    }
  } catch (error) {
    // When a result reports a failure, the SDK then throws that failure too.
    if (!hasResult) return send({ type: "ended", end: "lost", message: String(error) });
  }
  send({ type: "ended", end: hasResult ? "result" : "lost", message: hasResult ? "" : "The SDK sent no result." });
};

const lines = readLines(process.stdin);
const first = await lines.next();
const questions = new Questions(send);
const running = run(AgentStart.parse(parseJson(String(first.value))), questions);
const left = (async () => {
  for await (const line of lines) questions.answer(AgentAnswer.parse(parseJson(line)));
})();
await Promise.race([running, left]);
// Exits after all lines are written: a full pipe takes them only as fast as the host reads, and an exit loses the rest. If the host is
// gone, this write fails at once. The binary ends with its input, which closes with this process.
process.stdout.write("", () => process.exit(0));
