/**
 * One owner's workspace on the edge: files in its SQLite, commands in a shell written in TypeScript. An object of its
 * own, so that neither a long search nor a busy command holds up a run; the callers see it as a `Workspace`.
 */
import { DurableObject } from "cloudflare:workers";
import { guardAlarm } from "../contract/guard-alarm.ts";
import type { Env } from "../env.ts";
import { type Answer, answer } from "./answer.ts";
import { BoundedStore } from "./bounded-store.ts";
import { CommandLog } from "./command-log.ts";
import { DeletedWorkspace } from "./deleted-workspace.ts";
import { checkedPath, DurableFiles, notFound } from "./durable-files.ts";
import { listFiles, searchFiles } from "./durable-search.ts";
import { everyPath } from "./every-path.ts";
import { Pace } from "./pace.ts";
import { PathTurns } from "./path-turns.ts";
import { showPath } from "./resolve-path.ts";
import { type FileStore, rootedStore } from "./rooted-store.ts";
import { runScript } from "./run-script.ts";
import { MAX_FILE_BYTES } from "./store-file.ts";
import {
  type ChangeCondition,
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

/**
 * Each method is the one of `Workspace`. `root` is the directory all its paths count from, made when it is missing;
 * `callId` is what `abort` names, of a list and a search as of a command.
 */
export class WorkspaceObject extends DurableObject<Env> {
  readonly #deleted = new DeletedWorkspace(this.ctx.storage);
  #store = this.#openStore();
  readonly #pace = new Pace();
  readonly #log = new CommandLog(this.#deleted.sql);
  readonly #changes = new PathTurns();
  readonly #roots = new PathTurns();
  readonly #aborts = new Map<string, AbortController>();
  readonly #commands = new Map<string, Promise<CommandResult>>();

  stat(root: string, path: string): Promise<Answer<FileStat | undefined>> {
    return answer(async () => (await this.#files(root)).stat(path));
  }

  read(root: string, path: string, range: Parameters<DurableFiles["read"]>[1]): Promise<Answer<FileBytes>> {
    return answer(async () => {
      // Each turn looks for project instructions: that alone must not make tables for everybody who never had a file.
      if (!this.#hasFiles()) throw notFound(checkedPath(path));
      return (await this.#files(root)).read(path, range);
    });
  }

  write(root: string, path: string, bytes: Uint8Array, condition?: ChangeCondition): Promise<Answer<void>> {
    return answer(() => this.#change(root, path, (files) => files.write(path, bytes, condition)));
  }

  delete(root: string, path: string, condition?: ChangeCondition): Promise<Answer<void>> {
    return answer(() => this.#change(root, path, (files) => files.delete(path, condition)));
  }

  list(root: string, callId: string, query: ListQuery): Promise<Answer<FileList>> {
    return answer(() => this.#abortable(callId, async (signal) => listFiles(await this.#files(root), query, signal)));
  }

  search(root: string, callId: string, query: SearchQuery): Promise<Answer<SearchResult>> {
    return answer(() => this.#abortable(callId, async (signal) => searchFiles(await this.#files(root), query, signal)));
  }

  run(root: string, command: Command): Promise<Answer<CommandResult>> {
    // Known to `abort` at once, which may come with the very call.
    return answer(() => this.#abortable(command.callId, (signal) => this.#run(root, command, signal)));
  }

  /** Waits while the command runs. */
  find(callId: string): Promise<Answer<CommandResult | undefined>> {
    return answer(async () => (await this.#commands.get(callId)) ?? this.#log.find(callId));
  }

  /** Ends a command, a list or a search; nothing happens when it has ended. */
  abort(callId: string): void {
    this.#aborts.get(callId)?.abort();
  }

  /** Ends a command, or keeps one that is not known from ever running, such as one whose call is still on its way. */
  stop(callId: string): Promise<Answer<CommandResult | undefined>> {
    this.abort(callId);
    this.#log.start(callId, Date.now());
    return this.find(callId);
  }

  /** Absolute paths of all files, whatever lists leave out. */
  everyPath(): Promise<string[]> {
    return everyPath(this.#store);
  }

  /** The whole of a file that `everyPath` named; null when it is gone. */
  wholeFile(path: string): Promise<Uint8Array | null> {
    return this.#store.readFileBytes(path);
  }

  /** Deletes everything, ends what runs, and refuses every call until then, in epoch ms. Repeating it is harmless. */
  async purge(untilMs: number): Promise<void> {
    for (const abort of this.#aborts.values()) abort.abort();
    await this.#deleted.lay(untilMs);
  }

  override async alarm(): Promise<void> {
    const lift = async () => {
      if (await this.#deleted.lift(Date.now())) this.#store = this.#openStore();
    };
    await guardAlarm("workspace", lift, (atMs) => this.ctx.storage.setAlarm(atMs));
  }

  #openStore(): BoundedStore {
    return new BoundedStore({ storage: this.#deleted.sql, maxFileBytes: MAX_FILE_BYTES });
  }

  #hasFiles(): boolean {
    const { sql } = this.#deleted;
    return [...sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'cf_workspace_default'")].length > 0;
  }

  async #files(root: string): Promise<DurableFiles> {
    return new DurableFiles(await this.#rooted(root), this.#pace);
  }

  /** One after the other: two first calls that make the same root at once would break on each other. */
  #rooted(root: string): Promise<FileStore> {
    return this.#roots.take(root, () => rootedStore(this.#store, root));
  }

  /** Changes of one file follow each other: none comes between the check of another's condition and its write. */
  #change<Value>(root: string, path: string, work: (files: DurableFiles) => Promise<Value>): Promise<Value> {
    return this.#changes.take(`${root}/${checkedPath(path)}`, async () => work(await this.#files(root)));
  }

  async #run(root: string, command: Command, signal: AbortSignal): Promise<CommandResult> {
    const dir = checkedPath(command.dir);
    const store = await this.#rooted(root);
    const found = await new DurableFiles(store, this.#pace).stat(dir);
    if (found === undefined) throw notFound(dir);
    if (found.type === "file") throw new WorkspaceError("wrong_type", `${showPath(dir)} is a file, not a directory.`);
    if (!this.#log.start(command.callId, Date.now())) {
      throw new WorkspaceError("repeated", `The command ${showPath(command.callId)} has run before.`);
    }
    const running = runScript(store, { ...command, dir }, signal);
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
    // The same call for a second time is refused, and must not hide the first.
    if (!this.#aborts.has(callId)) this.#aborts.set(callId, abort);
    try {
      return await work(abort.signal);
    } finally {
      if (this.#aborts.get(callId) === abort) this.#aborts.delete(callId);
    }
  }
}
