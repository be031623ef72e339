/** The client of a harness host: the calls of `host-wire.ts`, with a limit to each wait. */
import * as z from "zod";
import { within } from "../../contract/within.ts";
import { cutOff, parse, reached, reachedAll, readLines } from "../../workspace/host/host-answer.ts";
import type { PostToHost } from "../../workspace/host/host-post.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type FoundFile, findFile, stateOf } from "../tools/found-file.ts";
import { HARNESS_PATH, type QuestionAnswer, SESSION_SIZE_HEADER, type TurnCall, TurnLine } from "./host-wire.ts";

/** Longest time for a call, in ms. Sending a piece of a session through a slow tunnel takes longest. */
const CALL_LIMIT_MS = 30_000;

/** Longest time without a line of a turn, in ms: the host sends one every 10 s. */
const SILENCE_LIMIT_MS = 45_000;

/** Longest wait for the host to end a turn, in ms: the host needs at most 3 s. */
const STOP_LIMIT_MS = 6_000;

const KNOWN: ReadonlySet<string> = new Set(TurnLine.options.map(({ shape }) => shape.type.value));

/** Undefined for a line of a type that is unknown here; a later host may send one. */
const AnyLine = z
  .looseObject({ type: z.string() })
  .transform((line) => (KNOWN.has(line.type) ? TurnLine.parse(line) : undefined));

/** The host of one owner's agent. Every method rejects only with `WorkspaceError`; `unavailable` when it does not answer. */
export class AgentHost {
  readonly #post: PostToHost;
  readonly #files: Pick<Workspace, "stat" | "read">;

  constructor(post: PostToHost, files: Pick<Workspace, "stat" | "read">) {
    this.#post = post;
    this.#files = files;
  }

  /**
   * Runs a turn and yields its lines without `alive`; the last one is `ended`. Leaving the loop, or aborting the signal, stops the turn.
   */
  async *turn(call: TurnCall, signal: AbortSignal): AsyncGenerator<TurnLine> {
    const leaving = new AbortController();
    const either = AbortSignal.any([signal, leaving.signal]);
    try {
      const answer = (limited: AbortSignal) =>
        this.#post(`${HARNESS_PATH}turn`, JSON.stringify(call), AbortSignal.any([either, limited]));
      const response = await reached(within(SILENCE_LIMIT_MS, answer, signal));
      if (response.body === null) throw cutOff();
      const lines = reachedAll(readLines(response.body));
      for (;;) {
        const next = await reached(within(SILENCE_LIMIT_MS, () => lines.next(), signal));
        if (next.done === true) throw cutOff();
        const line = parse(AnyLine, next.value);
        if (line === undefined) continue;
        if (line.type !== "alive") yield line;
        if (line.type === "ended") return;
      }
    } finally {
      leaving.abort();
    }
  }

  /** Answers a question of a turn. @throws {WorkspaceError} `not_found` when the question is no longer open. */
  async answer(turnId: string, questionId: string, answer: QuestionAnswer): Promise<void> {
    await this.#send("result", { turnId, questionId, answer });
  }

  /** Resolves when no process of the turn is running. Unknown turns are fine. */
  async stop(turnId: string): Promise<void> {
    await this.#send("stop", { turnId }, STOP_LIMIT_MS);
  }

  /** At most 4 MiB of a session's file from `offset`, and the whole file's size in bytes; 0 when there is none. */
  async readSession(sessionId: string, offset: number): Promise<{ readonly bytes: Uint8Array; readonly size: number }> {
    return await this.#limited(async (signal) => {
      const response = await this.#call("read-session", JSON.stringify({ sessionId, offset }), signal);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { bytes, size: Number(response.headers.get(SESSION_SIZE_HEADER) ?? 0) };
    });
  }

  /** Puts a piece back at the file's end; at 0 it replaces the file. */
  async restoreSession(sessionId: string, offset: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const query = new URLSearchParams({ sessionId, offset: String(offset) });
    await this.#limited((signal) => this.#call(`restore-session?${query}`, bytes, signal).then(drained));
  }

  /** Deletes all that is kept of these sessions. Unknown ones are fine. */
  async deleteSessions(sessionIds: readonly string[]): Promise<void> {
    await this.#send("delete-sessions", { sessionIds });
  }

  /** The state of a file, as in `file-state.ts`. */
  async fileState(path: string): Promise<string> {
    return await stateOf(await this.findFile(path));
  }

  /** What is at a path of the workspace. */
  findFile(path: string): Promise<FoundFile> {
    return findFile(this.#files, path);
  }

  async #send(call: string, body: object, limitMs?: number): Promise<void> {
    await this.#limited((signal) => this.#call(call, JSON.stringify(body), signal).then(drained), limitMs);
  }

  #call(call: string, body: string | Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<Response> {
    return this.#post(HARNESS_PATH + call, body, signal);
  }

  #limited<Value>(work: (signal: AbortSignal) => Promise<Value>, limitMs = CALL_LIMIT_MS): Promise<Value> {
    return reached(within(limitMs, work));
  }
}

/** Reads an answer that only confirms the call, so that the connection can be used again. */
const drained = async (response: Response): Promise<void> => void (await response.arrayBuffer());
