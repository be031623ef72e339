/** One call of the Worker, from its body to its answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import { HostCall, MAX_FILE_BYTES, type RunLine, SIZE_HEADER } from "../../workspace/host-wire.ts";
import type { PathTurns } from "../../workspace/path-turns.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import type { CommandCalls } from "./command-calls.ts";
import { deleteFile } from "./delete-file.ts";
import { readFile, statEntry } from "./file-calls.ts";
import { readBody } from "./read-body.ts";
import type { TreeThreads } from "./tree-threads.ts";
import { whileWaiting } from "./while-waiting.ts";
import { locate, pathTo, type WorkspaceRoot } from "./workspace-root.ts";
import { writeFile } from "./write-file.ts";

/** A JSON call at most: a long command text fits. */
const MAX_CALL_BYTES = 1_048_576;

/** What the calls work on. */
export type CallWorld = {
  readonly root: WorkspaceRoot;
  readonly commands: CommandCalls;
  readonly trees: TreeThreads;
  /** Writes and deletions of one file follow each other. */
  readonly changes: PathTurns;
  /** How often a caller that waits is told that its command still runs, in ms. */
  readonly aliveEveryMs: number;
};

/** A call with its parts; `left` aborts when the caller goes away before it is answered. */
type Call = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly left: AbortSignal };

/** Answers a request that may be here. @throws {WorkspaceError} before the answer has begun. */
export const answerCall = async (url: URL, call: Call, world: CallWorld): Promise<void> => {
  const name = url.pathname.slice(1);
  switch (name) {
    case "stat":
      return sendJson(call, { stat: (await statEntry(world.root, (await input(call, HostCall.stat)).path)) ?? null });
    case "real":
      return sendJson(call, { path: pathTo(await locate(world.root, (await input(call, HostCall.real)).path)) });
    case "read":
      return sendFile(call, world, await input(call, HostCall.read));
    case "write": {
      const change = checked(HostCall.write, Object.fromEntries(url.searchParams));
      await writeFile(world, { ...change, bytes: await readBody(call.request, MAX_FILE_BYTES) });
      return sendJson(call, {});
    }
    case "delete":
      await deleteFile(world, await input(call, HostCall.delete));
      return sendJson(call, {});
    case "list":
      return sendJson(call, await world.trees.list(await input(call, HostCall.list), call.left));
    case "search":
      return sendJson(call, await world.trees.search(await input(call, HostCall.search), call.left));
    case "run":
      return sendRun(call, world, await input(call, HostCall.run));
    case "find": {
      const { callId } = await input(call, HostCall.find);
      return sendFound(call, world, world.commands.find(callId, call.left));
    }
    case "abort":
      world.commands.abort((await input(call, HostCall.abort)).callId);
      return sendJson(call, {});
    default:
      throw new WorkspaceError("invalid", "There is no such call.");
  }
};

const input = async <Schema extends z.ZodType>(call: Call, schema: Schema): Promise<z.infer<Schema>> => {
  const body = await readBody(call.request, MAX_CALL_BYTES);
  return checked(schema, parseJson(body.toString("utf8")));
};

const checked = <Schema extends z.ZodType>(schema: Schema, given: unknown): z.infer<Schema> => {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new WorkspaceError("invalid", `The call is not valid: ${parsed.error.issues[0]?.message ?? ""}`);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the schema refuses undefined.
    return undefined;
  }
};

const sendJson = ({ response }: Call, answer: unknown): void => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
};

const sendFile = async (
  { response }: Call,
  world: CallWorld,
  { path, offset, maxBytes }: z.infer<typeof HostCall.read>,
): Promise<void> => {
  const { bytes, size } = await readFile(world.root, path, { offset, maxBytes });
  response.writeHead(200, { "content-type": "application/octet-stream", [SIZE_HEADER]: String(size) }).end(bytes);
};

/** The head of the answer waits until the command runs, so that a refusal can still have a status of its own. */
const sendRun = async (
  { response, left }: Call,
  world: CallWorld,
  { keepAlive, ...command }: z.infer<typeof HostCall.run>,
): Promise<void> => {
  const begin = () => {
    if (!response.headersSent) response.writeHead(200, { "content-type": "application/x-ndjson" }).flushHeaders();
  };
  const send = (line: RunLine) => {
    begin();
    response.write(`${JSON.stringify(line)}\n`);
  };
  const result = await whileWaiting(
    world.commands.start(command, boundedOutput(send), left, begin),
    world.aliveEveryMs,
    // Not before the command runs, and not to who has left or would not know the line.
    () => response.headersSent && !left.aborted && keepAlive === true && send({ type: "alive" }),
  );
  send({ type: "result", result });
  response.end();
};

/** JSON as every answer, behind an empty line for each time that it is still to come. */
const sendFound = async (
  { response, left }: Call,
  world: CallWorld,
  finding: ReturnType<CommandCalls["find"]>,
): Promise<void> => {
  response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
  const result = await whileWaiting(finding, world.aliveEveryMs, () => !left.aborted && response.write("\n"));
  response.end(JSON.stringify({ result: result ?? null }));
};

/** Output goes out as it comes up to as much as a result keeps; a slow reader cannot fill the memory. */
const boundedOutput = (send: (line: RunLine) => void) => {
  let sentCharacters = 0;
  return (stream: "stdout" | "stderr", text: string): void => {
    sentCharacters += text.length;
    if (sentCharacters <= MAX_CALL_BYTES) send({ type: "output", stream, text });
  };
};
