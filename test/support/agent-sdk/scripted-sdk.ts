/**
 * A module of the SDK's shape that replays recordings: it calls the gate and the tools where the real one did, and writes a session file
 * where the real one does. A prompt names its recording by `[replay:<name>]`, the last one if there are several; `[hang]` starts a process of its own and never ends;
 * `[hang:noted]` and `[hang:told]` do so once they have taken down something else, or the prompt; `[dies-first]` dies once before that.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { TurnLine } from "../../../src/harness/agent-sdk/host-wire.ts";
import { HookInput, type QueryOptions, type ToolTransport } from "../../../src/harness-host/agent/sdk-module.ts";
import { RECORDED_DIR, type RecordedTurn, readRecording } from "./recording.ts";

type Query = { readonly prompt: string | AsyncIterable<never>; readonly options: QueryOptions };

type Message = { readonly type: string };

type ToolCallLine = Extract<TurnLine, { type: "tool" }>;

const Server = z.object({
  tally: z.object({ instance: z.object({ connect: z.custom<(transport: ToolTransport) => Promise<void>>() }) }),
});

/** The SDK's own entry. */
export const query = ({ prompt, options }: Query): AsyncGenerator<Message> =>
  play({ prompt, options: { ...options, cwd: realpathSync.native(options.cwd).normalize("NFC") } });

/** As the real one names it, whose hash is another one (claude-agent-sdk-python, `_internal/sessions.py`). */
const projectName = (cwd: string): string => {
  const name = cwd.replace(/[^a-zA-Z0-9]/g, "-");
  return name.length <= 200
    ? name
    : `${name.slice(0, 200)}-${createHash("sha256").update(cwd).digest("hex").slice(0, 6)}`;
};

async function* play({ prompt, options }: Query): AsyncGenerator<Message> {
  const sessionId = z.string().parse(options.sessionId ?? options.resume);
  const config = join(options.env.HOME ?? "", ".claude").normalize("NFC");
  const file = join(config, "projects", projectName(options.cwd), `${sessionId}.jsonl`);
  if (options.resume !== undefined && !(existsSync(file) && readFileSync(file, "utf8").includes('"type":"user"')))
    return yield* refused(`No conversation found with session ID: ${sessionId}`);
  if (options.sessionId !== undefined && existsSync(file))
    throw new Error(`Session ID ${sessionId} is already in use.`);
  if (typeof prompt === "string" && prompt.includes("[hang]")) return yield* hang(options);
  const note = (line: string): void => appendFileSync(file, `${line}\n`);
  const hanging = /\[hang:(noted|told)\]/.exec(String(prompt))?.[1];
  if (hanging !== undefined) {
    mkdirSync(dirname(file), { recursive: true });
    note(NOTED);
    if (hanging === "told") note(JSON.stringify({ type: "user", message: { content: prompt } }));
    // So that whoever waits knows that it is written.
    yield { type: "system", ...{ subtype: "api_retry", attempt: 1, retry_delay_ms: 1, error_status: 529 } };
    await new Promise(() => undefined);
  }
  const death = join(options.env.HOME ?? "", `died-${sessionId}`);
  if (typeof prompt === "string" && prompt.includes("[dies-first]") && !existsSync(death)) {
    mkdirSync(dirname(file), { recursive: true });
    note(NOTED);
    writeFileSync(death, "");
    process.exit(1);
  }
  const kept = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  const earlier = turnsIn(kept);
  // An open input in a session that has no call to go on with.
  if (typeof prompt !== "string" && earlier.length === 0) await new Promise(() => undefined);
  const name = earlier[0] ?? [...String(prompt).matchAll(/\[replay:([\w-]+)\]/g)].at(-1)?.[1] ?? "";
  const last = kept.at(-1) ?? "";
  const isParked = typeof prompt !== "string" && last.startsWith(`${PARKED}:`);
  mkdirSync(dirname(file), { recursive: true });
  if (options.resumeSessionAt !== undefined) {
    const place = readRecording(name).turns.findIndex(({ lines }) =>
      lines.some((line) => line.type === "message" && line.message.uuid === options.resumeSessionAt),
    );
    if (place < 0) return yield* refused(`No message found with message.uuid of: ${options.resumeSessionAt}`);
    note(`${BACK}:${place + 1}`);
    earlier.splice(place + 1);
  }
  const begin = (): void => {
    note(isParked ? PARKED : earlier.length === 0 ? name : String(earlier.length));
    if (typeof prompt === "string")
      note(JSON.stringify({ type: "user", message: { content: prompt }, budgetUsd: options.maxBudgetUsd }));
  };
  // The real one writes nothing before the gate has answered: whoever dies until then finds the deferred call again.
  let hasBegun = typeof prompt === "string";
  if (hasBegun) begin();
  const turn = isParked ? earlier.length - 1 : earlier.length;
  const { turns } = readRecording(name);
  // A turn that died has used one up: whoever goes on after the last one gets that again.
  const recorded = turns[turn] ?? turns.at(-1);
  const from = isParked ? Number(last.split(":")[1]) : 0;
  /** Where a call was deferred although nobody was asked when it was recorded: this turn ends, and goes on there with the answer. */
  let parkedAt: number | undefined;
  let asking: Promise<void> = Promise.resolve();
  let isOpen = false;
  /** Whether the answer to a call did not end this turn, as it had when it was recorded: the model is asked, and says what it then said. */
  let goesOn = false;
  for (const [index, line] of (recorded?.lines ?? []).slice(from).entries()) {
    if (line.type === "permission") {
      const answer = recorded?.answers[line.questionId];
      const wasAsked = answer?.type === "ask" || (answer?.type === "deny" && answer.isOver === true);
      asking = askGate(options, line).then((isDeferred) => {
        if (isDeferred && !wasAsked) parkedAt = from + index;
      });
      // The real one streams on while a question waits for its answer.
      if (isOpen) await setImmediate();
      else await asking;
      if (!hasBegun) begin();
      hasBegun = true;
    } else if (line.type === "tool") {
      const answer = recorded?.answers[line.questionId];
      goesOn = !(await callTool(options, line)) && answer?.type === "tool" && answer.ends === true;
    } else if (line.type === "message") {
      const { type, uuid, message } = line.message;
      if (goesOn && type === "result") return yield* messagesOf(turns[turn + 1]);
      if (type === "assistant") note(JSON.stringify({ type, uuid, message }));
      yield JSON.parse(JSON.stringify(line.message).replaceAll(RECORDED_DIR, options.cwd));
      const event = Streamed.safeParse(line.message).data?.event.type;
      if (event === "message_start") isOpen = true;
      if (event === "message_stop") {
        isOpen = false;
        await asking;
      }
    } else if (line.type === "ended" && line.end === "lost") process.exit(1);
    if (parkedAt !== undefined && !isOpen) {
      note(`${PARKED}:${parkedAt}`);
      return yield* [DEFERRED];
    }
  }
}

/** What the real one notes before it takes down the prompt. */
const NOTED = '{"type":"queue-operation"}';

const messagesOf = (turn: RecordedTurn | undefined): Message[] =>
  (turn?.lines ?? []).flatMap((line) => (line.type === "message" ? [line.message] : []));

const Streamed = z.object({ event: z.object({ type: z.string() }) });

/** Marks lines of the file that begin no turn; with the number of the recorded line that the session goes on with. */
const PARKED = "parked";

/** Marks where the session was gone back to: as many turns were left. */
const BACK = "back";

/** The lines that begin turns, without those that were gone back to before. */
const turnsIn = (lines: readonly string[]): string[] => {
  const turns: string[] = [];
  for (const line of lines) {
    if (line.startsWith(`${BACK}:`)) turns.splice(Number(line.split(":")[1]));
    else if (!line.startsWith(PARKED) && !line.startsWith("{")) turns.push(line);
  }
  return turns;
};

/** A turn that is refused before its prompt is read. */
async function* refused(error: string): AsyncGenerator<Message> {
  yield { type: "result", ...{ subtype: "error_during_execution", is_error: true, errors: [error] } };
  throw new Error(`Claude Code returned an error result: ${error}`);
}

const DEFERRED = { type: "result", subtype: "success", is_error: false, stop_reason: "tool_deferred" };

async function* hang(options: QueryOptions): AsyncGenerator<Message> {
  const child = spawn("sleep", ["1000"], { env: { ...options.env }, detached: true, stdio: "ignore" });
  yield { type: "hanging", ...{ pid: child.pid } };
  await new Promise(() => undefined);
}

const hookOf = (options: QueryOptions, event: string) => options.hooks[event]?.[0].hooks[0];

/** Whether the call was deferred. */
const askGate = async (options: QueryOptions, line: Extract<TurnLine, { type: "permission" }>): Promise<boolean> => {
  const tool_input = JSON.parse(JSON.stringify(line.input).replaceAll(RECORDED_DIR, options.cwd));
  const call = { tool_name: line.tool, tool_input, tool_use_id: line.toolUseId, cwd: options.cwd };
  const output = await hookOf(options, "PreToolUse")?.(HookInput.parse(call));
  return output?.hookSpecificOutput?.permissionDecision === "defer";
};

/** Whether the turn is to end after it. */
const callTool = async (options: QueryOptions, { name, input, toolUseId }: ToolCallLine): Promise<boolean> => {
  const answered = Promise.withResolvers<object>();
  const transport: ToolTransport = { start: async () => undefined, send: async (message) => answered.resolve(message) };
  await Server.parse(options.mcpServers).tally.instance.connect(transport);
  const params = { name, arguments: input, _meta: { "claudecode/toolUseId": toolUseId } };
  transport.onmessage?.({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  await answered.promise;
  const output = await hookOf(options, "PostToolUse")?.({ tool_use_id: toolUseId });
  return output?.continue === false;
};
