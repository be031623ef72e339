/** Answers one call of the Worker. */
import type { z } from "zod";
import type { KeyedMutex } from "../contract/keyed-mutex.ts";
import { cutText } from "../contract/plain-text.ts";
import { HostCall, MAX_FILE_BYTES, type RunLine, SIZE_HEADER } from "../workspace/host/host-wire.ts";
import { WorkspaceError } from "../workspace/workspace.ts";
import { type Call, checked, input, readBody, sendJson, whileWaiting } from "./call-io.ts";
import type { CommandCalls } from "./commands/command-calls.ts";
import { readFile, statEntry } from "./file-calls.ts";
import type { TreeWorkers } from "./tree/tree-workers.ts";
import { locate, pathTo, type WorkspaceRoot } from "./workspace-root.ts";
import { deleteFile, writeFile } from "./write-file.ts";

/** The start of the path of a harness's calls. */
const HARNESS_PATH = "harness/";

/** The refusal of a harness's calls where none is served. */
export const NO_HARNESS =
  "No harness is served here. Ask the person to start it with --harness agent-sdk (npm run dev, or npm run workspace).";

/** What the calls work with. */
export type CallWorld = {
  readonly root: WorkspaceRoot;
  readonly commands: CommandCalls;
  readonly trees: TreeWorkers;
  /** Writes and deletions of the same file are done one after the other. */
  readonly changes: KeyedMutex;
  /** How often a waiting caller is told that its command is still running, in ms. */
  readonly aliveEveryMs: number;
  /** Calls of a harness, where one is served. */
  readonly harness?: HarnessCalls | undefined;
};

/** Answers the calls below `harness/`, by the rest of their path. */
export type HarnessCalls = {
  /** @throws {WorkspaceError} before the response has begun. */
  answer(name: string, url: URL, call: Call): Promise<void>;
  close(): Promise<void>;
};

/** Answers a request that was let in. @throws {WorkspaceError} before the response has begun. */
export const answerCall = async (url: URL, call: Call, world: CallWorld): Promise<void> => {
  const name = url.pathname.slice(1);
  if (name.startsWith(HARNESS_PATH) && world.harness !== undefined) {
    return world.harness.answer(name.slice(HARNESS_PATH.length), url, call);
  }
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
      throw new WorkspaceError("invalid", name.startsWith(HARNESS_PATH) ? NO_HARNESS : "There is no such call.");
  }
};

const sendFile = async (
  { response }: Call,
  world: CallWorld,
  { path, offset, maxBytes }: z.infer<typeof HostCall.read>,
): Promise<void> => {
  const { bytes, size } = await readFile(world.root, path, { offset, maxBytes });
  response.writeHead(200, { "content-type": "application/octet-stream", [SIZE_HEADER]: String(size) }).end(bytes);
};

/** The response headers wait until the command runs, so that a refusal can still have its own status. */
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
    // Not before the command runs, and not to a caller that has left or does not know this line.
    () => response.headersSent && !left.aborted && keepAlive === true && send({ type: "alive" }),
  );
  send({ type: "result", result });
  response.end();
};

/** JSON like every answer, preceded by an empty line for each time the caller was told to wait. */
const sendFound = async (
  { response, left }: Call,
  world: CallWorld,
  finding: ReturnType<CommandCalls["find"]>,
): Promise<void> => {
  response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
  const result = await whileWaiting(finding, world.aliveEveryMs, () => !left.aborted && response.write("\n"));
  response.end(JSON.stringify({ result: result ?? null }));
};

/**
 * Most UTF-16 units of output that are passed on while a command runs: one more than `run_shell` shows. `run_shell` can then say that there
 * is more, even if a cut takes one unit away.
 */
const MAX_SENT_LENGTH = 1_048_577;

/** Passes output on as it arrives, up to about as much as a result keeps, so that a slow reader cannot fill the memory. */
const boundedOutput = (send: (line: RunLine) => void) => {
  let room = MAX_SENT_LENGTH;
  return (stream: "stdout" | "stderr", text: string): void => {
    if (room > 0) send({ type: "output", stream, text: cutText(text, room) });
    room -= text.length;
  };
};
