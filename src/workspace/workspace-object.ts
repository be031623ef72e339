/**
 * One owner's workspace on the edge: files in its SQLite, commands in a shell written in TypeScript. An object of its
 * own, so that neither a long search nor a busy command holds up a run; the callers see it as a `Workspace`.
 */
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";
import { type Answer, answer } from "./answer.ts";
import { BoundedStore } from "./bounded-store.ts";
import { CommandLog } from "./command-log.ts";
import { checkedPath, DurableFiles, notFound } from "./durable-files.ts";
import { listFiles, searchFiles } from "./durable-search.ts";
import { Pace } from "./pace.ts";
import { showPath } from "./resolve-path.ts";
import { runScript } from "./run-script.ts";
import { MAX_FILE_BYTES } from "./store-file.ts";
import {
  type Command,
  type CommandResult,
  type FileBytes,
  type FileList,
  type FileStat,
  type ListQuery,
  type SearchQuery,
  type SearchResult,
  WorkspaceError,
} from "./workspace.ts";

/** Each method is the one of `Workspace`; `callId` is what `abort` names, of a search as of a command. */
export class WorkspaceObject extends DurableObject<Env> {
  readonly #store = new BoundedStore({ storage: this.ctx.storage.sql, maxFileBytes: MAX_FILE_BYTES });
  readonly #files = new DurableFiles(this.#store, new Pace());
  readonly #log = new CommandLog(this.ctx.storage.sql);
  readonly #aborts = new Map<string, AbortController>();
  readonly #commands = new Map<string, Promise<CommandResult>>();

  stat(path: string): Promise<Answer<FileStat | undefined>> {
    return answer(() => this.#files.stat(path));
  }

  read(path: string, range: { readonly offset: number; readonly maxBytes: number }): Promise<Answer<FileBytes>> {
    return answer(() => this.#files.read(path, range));
  }

  write(path: string, bytes: Uint8Array): Promise<Answer<void>> {
    return answer(() => this.#files.write(path, bytes));
  }

  delete(path: string): Promise<Answer<void>> {
    return answer(() => this.#files.delete(path));
  }

  list(query: ListQuery): Promise<Answer<FileList>> {
    return answer(() => listFiles(this.#files, query));
  }

  search(callId: string, query: SearchQuery): Promise<Answer<SearchResult>> {
    return answer(() => this.#abortable(callId, (signal) => searchFiles(this.#files, query, signal)));
  }

  run(command: Command): Promise<Answer<CommandResult>> {
    return answer(async () => {
      const dir = checkedPath(command.dir);
      const found = await this.#files.stat(dir);
      if (found === undefined) throw notFound(dir);
      if (found.type === "file") throw new WorkspaceError("wrong_type", `${showPath(dir)} is a file, not a directory.`);
      if (!this.#log.start(command.callId, Date.now())) {
        throw new WorkspaceError("repeated", `The command ${showPath(command.callId)} has run before.`);
      }
      return this.#run({ ...command, dir });
    });
  }

  /** Waits while the command runs. */
  find(callId: string): Promise<Answer<CommandResult | undefined>> {
    return answer(async () => (await this.#commands.get(callId)) ?? this.#log.find(callId));
  }

  /** Ends a command or a search; nothing happens when it has ended. */
  abort(callId: string): void {
    this.#aborts.get(callId)?.abort();
  }

  async #run(command: Command): Promise<CommandResult> {
    const running = this.#abortable(command.callId, (signal) => runScript(this.#store, command, signal));
    this.#commands.set(command.callId, running);
    try {
      const result = await running;
      this.#log.end(command.callId, result);
      return result;
    } finally {
      this.#commands.delete(command.callId);
    }
  }

  async #abortable<Value>(callId: string, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const abort = new AbortController();
    this.#aborts.set(callId, abort);
    try {
      return await work(abort.signal);
    } finally {
      this.#aborts.delete(callId);
    }
  }
}
