/** A real directory as the Worker sees it: a thin client of the workspace server that `npm run dev` starts. */
import { z } from "zod";
import { HostAnswer, HostRefusal, MAX_FILE_BYTES, RunLine, SIZE_HEADER } from "./host-wire.ts";
import { readLines } from "./read-lines.ts";
import { UNREACHABLE } from "./unreachable.ts";
import {
  type ChangeCondition,
  type Command,
  type CommandResult,
  type FileBytes,
  type FileList,
  type FileStat,
  type ListQuery,
  type OnOutput,
  type SearchQuery,
  type SearchResult,
  type Workspace,
  WorkspaceError,
} from "./workspace.ts";

/** Where the server is. `token` is a secret: it stands for the person whose directory it is. */
export type HostAddress = { readonly url: string; readonly token: string };

/** `fetch`, or one that works where the platform's adds headers of a browser. */
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Every method rejects with `WorkspaceError` alone; `unavailable` when the server cannot be reached or the answer is cut. */
export class HostWorkspace implements Workspace {
  readonly #address: HostAddress;
  readonly #fetch: Fetch;

  constructor(address: HostAddress, fetchWith: Fetch = (url, init) => fetch(url, init)) {
    this.#address = address;
    this.#fetch = fetchWith;
  }

  async stat(path: string): Promise<FileStat | undefined> {
    return (await this.#call("stat", { path }, HostAnswer.stat)).stat ?? undefined;
  }

  async realPath(path: string): Promise<string> {
    return (await this.#call("real", { path }, HostAnswer.real)).path;
  }

  async read(path: string, range: { readonly offset: number; readonly maxBytes: number }): Promise<FileBytes> {
    const maxBytes = Math.min(range.maxBytes, MAX_FILE_BYTES);
    const response = await this.#post("read", JSON.stringify({ path, offset: range.offset, maxBytes }));
    const bytes = new Uint8Array(await reached(response.arrayBuffer()));
    const size = z.coerce.number().int().min(bytes.byteLength).safeParse(response.headers.get(SIZE_HEADER));
    if (!size.success) throw unreadable(size.error);
    return { bytes, size: size.data };
  }

  async write(path: string, bytes: Uint8Array, condition: Partial<ChangeCondition> = {}): Promise<void> {
    if (!path.isWellFormed()) throw new WorkspaceError("invalid", "The path is not valid Unicode.");
    if (bytes.byteLength > MAX_FILE_BYTES) {
      // The server would refuse it in mid-upload, which can look like a lost connection.
      throw new WorkspaceError("too_large", `${bytes.byteLength} bytes: a write takes at most ${MAX_FILE_BYTES}.`);
    }
    // A copy: a view may lie on a part of a larger or shared buffer.
    await drain(await this.#post(`write?${new URLSearchParams({ path, ...condition })}`, new Uint8Array(bytes)));
  }

  async delete(path: string, condition: Partial<ChangeCondition> = {}): Promise<void> {
    await drain(await this.#post("delete", JSON.stringify({ path, ...condition })));
  }

  list(query: ListQuery): Promise<FileList> {
    return this.#call("list", query, HostAnswer.list);
  }

  /** Empty and cut when the signal aborts first. */
  async search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
    try {
      return await this.#call("search", query, HostAnswer.search, signal);
    } catch (error) {
      if (signal.aborted) return { lines: [], isCut: true };
      throw error;
    }
  }

  /**
   * An abort is a call of its own, and the answer goes on to its result: how the command really ended. When the connection
   * is lost instead, the command goes on for a minute, in which `find` can ask for it.
   */
  async run(command: Command, onOutput: OnOutput, signal: AbortSignal): Promise<CommandResult> {
    if (signal.aborted) return NOTHING_RAN;
    const abort = () => void this.#abort(command.callId);
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await this.#follow(command, onOutput);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  async find(callId: string, signal: AbortSignal): Promise<CommandResult | undefined> {
    return (await this.#call("find", { callId }, HostAnswer.find, signal)).result ?? undefined;
  }

  async stop(callId: string, signal: AbortSignal): Promise<CommandResult | undefined> {
    await this.#abort(callId, signal);
    return await this.find(callId, signal);
  }

  async #follow(command: Command, onOutput: OnOutput): Promise<CommandResult> {
    const response = await this.#post("run", JSON.stringify(command));
    if (response.body === null) throw cutOff();
    for await (const text of reachedAll(readLines(response.body))) {
      const line = parse(RunLine, text);
      if (line.type === "result") return line.result;
      onOutput(line.stream, line.text);
    }
    throw cutOff();
  }

  async #abort(callId: string, signal?: AbortSignal): Promise<void> {
    try {
      await drain(await this.#post("abort", JSON.stringify({ callId }), signal));
    } catch {
      // The server is gone: the answer that is being read, or asked for next, says so.
    }
  }

  async #call<Schema extends z.ZodType>(
    name: string,
    input: object,
    answer: Schema,
    signal?: AbortSignal,
  ): Promise<z.infer<Schema>> {
    const response = await this.#post(name, JSON.stringify(input), signal);
    return parse(answer, await reached(response.text()));
  }

  /** The answer when it is 200. A redirection is not followed: the token is for this server alone. @throws {WorkspaceError} the server's refusal, or `unavailable`. */
  async #post(call: string, body: string | Uint8Array<ArrayBuffer>, signal?: AbortSignal): Promise<Response> {
    const url = addressOf(this.#address.url);
    const headers = { authorization: `Bearer ${this.#address.token}` };
    const init = {
      method: "POST",
      redirect: "manual" as const,
      headers,
      body,
      ...(signal === undefined ? {} : { signal }),
    };
    const response = await reached(this.#fetch(`${url}/${call}`, init));
    if (response.status === 200) return response;
    if (response.status === 401) throw new WorkspaceError("unavailable", UNREACHABLE.wrongToken);
    if (response.status === 403) throw new WorkspaceError("unavailable", UNREACHABLE.unknownHost);
    const { error } = parse(HostRefusal, await reached(response.text()));
    throw new WorkspaceError(error.code, error.message);
  }
}

const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];

/** Without a slash at its end. @throws {WorkspaceError} when the token would go over a network in the clear. */
const addressOf = (text: string): string => {
  const url = URL.parse(text);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.includes(url.hostname))) {
    return text.replace(/\/+$/, "");
  }
  throw new WorkspaceError("unavailable", "WORKSPACE_URL is no https: address. Plain http is for this machine alone.");
};

const NOTHING_RAN: CommandResult = { end: "aborted", exitCode: null, stdout: "", stderr: "", isCut: false };

const reached = async <Value>(answer: Promise<Value>): Promise<Value> => {
  try {
    return await answer;
  } catch (error) {
    throw cutOff(error);
  }
};

async function* reachedAll(lines: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    throw cutOff(error);
  }
}

const drain = async (response: Response): Promise<void> => {
  await reached(response.arrayBuffer());
};

const parse = <Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> => {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw unreadable(error);
  }
};

const cutOff = (cause?: unknown): WorkspaceError => new WorkspaceError("unavailable", UNREACHABLE.gone, { cause });

const unreadable = (cause: unknown): WorkspaceError =>
  new WorkspaceError("unavailable", "The workspace server gave an answer that makes no sense.", { cause });
