/** A real directory as the Worker sees it: a thin client of the workspace server that `npm run dev` or `npm run workspace` starts. */
import * as z from "zod";
import { within } from "../../contract/within.ts";
import {
  type ChangeCondition,
  type Command,
  type CommandResult,
  type FileBytes,
  type FileList,
  type FileStat,
  type ListQuery,
  MAX_COMMAND_MS,
  NOTHING_RAN,
  type OnOutput,
  type SearchQuery,
  type SearchResult,
  type Workspace,
  WorkspaceError,
} from "../workspace.ts";
import { cutOff, parse, reached, reachedAll, readLines, textOf, unreadable } from "./host-answer.ts";
import { type Fetch, type HostAddress, type PostToHost, postToHost } from "./host-post.ts";
import { HostAnswer, MAX_FILE_BYTES, RunLine, SIZE_HEADER } from "./host-wire.ts";

/** Longest time for a call, in ms: 16 MB through a tunnel of 3 Mbit/s take 45 s. */
const CALL_LIMIT_MS = 60_000;

/** Added to a command's own time-out, for the network and for ending the processes it left behind. */
const COMMAND_MARGIN_MS = 60_000;

/** The same for a command of which only the id is known. */
const FIND_LIMIT_MS = MAX_COMMAND_MS + COMMAND_MARGIN_MS;

/** Answers with `cut` where a call failed because its caller had aborted it. */
const cutBy =
  <Cut>(signal: AbortSignal | undefined, cut: Cut) =>
  (error: unknown): Cut => {
    if (signal?.aborted) return cut;
    throw error;
  };

/** Every method rejects only with `WorkspaceError`: the server's refusal, or `unavailable` when there is no answer that can be read. */
export class HostWorkspace implements Workspace {
  readonly #post: PostToHost;

  constructor(address: HostAddress, fetchWith?: Fetch) {
    this.#post = postToHost(address, fetchWith);
  }

  async stat(path: string): Promise<FileStat | undefined> {
    return (await this.#call("stat", { path }, HostAnswer.stat)).stat ?? undefined;
  }

  async realPath(path: string): Promise<string> {
    return (await this.#call("real", { path }, HostAnswer.real)).path;
  }

  async read(path: string, range: { readonly offset: number; readonly maxBytes: number }): Promise<FileBytes> {
    const maxBytes = Math.min(range.maxBytes, MAX_FILE_BYTES);
    const call = JSON.stringify({ path, offset: range.offset, maxBytes });
    return await this.#limited(async (signal) => {
      const response = await this.#post("read", call, signal);
      const bytes = new Uint8Array(await reached(response.arrayBuffer()));
      const size = z.coerce.number().int().min(bytes.byteLength).safeParse(response.headers.get(SIZE_HEADER));
      if (!size.success) throw unreadable(size.error);
      return { bytes, size: size.data };
    });
  }

  async write(path: string, bytes: Uint8Array, condition: Partial<ChangeCondition> = {}): Promise<void> {
    if (!path.isWellFormed()) throw new WorkspaceError("invalid", "The path is not valid Unicode.");
    if (bytes.byteLength > MAX_FILE_BYTES) {
      // The server would refuse it during the upload, which can look like a lost connection.
      throw new WorkspaceError(
        "too_large",
        `The content has ${bytes.byteLength} bytes; a write can have at most ${MAX_FILE_BYTES}. Split it.`,
      );
    }
    // A copy: a view may cover part of a larger or shared buffer.
    await this.#send(`write?${new URLSearchParams({ path, ...condition })}`, new Uint8Array(bytes));
  }

  async delete(path: string, condition: Partial<ChangeCondition> = {}): Promise<void> {
    await this.#send("delete", JSON.stringify({ path, ...condition }));
  }

  /** Empty and cut when the signal aborts first. */
  list(query: ListQuery, signal?: AbortSignal): Promise<FileList> {
    return this.#call("list", query, HostAnswer.list, signal).catch(cutBy(signal, { entries: [], isCut: true }));
  }

  /** Like `list`. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
    return this.#call("search", query, HostAnswer.search, signal).catch(cutBy(signal, { lines: [], isCut: true }));
  }

  /**
   * An abort is a separate call, and this answer continues to its result: how the command really ended. If the connection is lost
   * instead, the command continues for a minute, in which `find` can ask for it.
   */
  async run(command: Command, onOutput: OnOutput, signal: AbortSignal): Promise<CommandResult> {
    if (signal.aborted) return NOTHING_RAN;
    const abort = () => void this.#abort(command.callId);
    signal.addEventListener("abort", abort, { once: true });
    try {
      const limitMs = command.timeoutMs + COMMAND_MARGIN_MS;
      return await reached(within(limitMs, (limited) => this.#follow(command, onOutput, limited)));
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  async find(callId: string, signal: AbortSignal): Promise<CommandResult | undefined> {
    return (await this.#call("find", { callId }, HostAnswer.find, signal, FIND_LIMIT_MS)).result ?? undefined;
  }

  async stop(callId: string, signal: AbortSignal): Promise<CommandResult | undefined> {
    await this.#abort(callId, signal);
    return await this.find(callId, signal);
  }

  async #follow(command: Command, onOutput: OnOutput, signal: AbortSignal): Promise<CommandResult> {
    const response = await this.#post("run", JSON.stringify({ ...command, keepAlive: true }), signal);
    if (response.body === null) throw cutOff();
    for await (const text of reachedAll(readLines(response.body))) {
      const line = parse(RunLine, text);
      if (line.type === "result") return line.result;
      if (line.type === "output") onOutput(line.stream, line.text);
    }
    throw cutOff();
  }

  async #abort(callId: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.#send("abort", JSON.stringify({ callId }), signal);
    } catch {
      // The server is gone: the answer being read, or the next request, reports it.
    }
  }

  async #call<Schema extends z.ZodType>(
    name: string,
    input: object,
    answer: Schema,
    signal?: AbortSignal,
    limitMs = CALL_LIMIT_MS,
  ): Promise<z.infer<Schema>> {
    const text = await this.#limited(
      async (limited) => await textOf(await this.#post(name, JSON.stringify(input), limited)),
      signal,
      limitMs,
    );
    return parse(answer, text);
  }

  /** A call whose answer only says that it was done. */
  async #send(call: string, body: string | Uint8Array<ArrayBuffer>, signal?: AbortSignal): Promise<void> {
    await this.#limited(async (limited) => await (await this.#post(call, body, limited)).arrayBuffer(), signal);
  }

  #limited<Value>(
    work: (signal: AbortSignal) => Promise<Value>,
    signal?: AbortSignal,
    limitMs = CALL_LIMIT_MS,
  ): Promise<Value> {
    return reached(within(limitMs, work, signal));
  }
}
