/**
 * One owner's workspace on the edge: files in its SQLite, commands in a shell written in TypeScript. A separate object, so that
 * neither a long search nor a busy command holds up a run; callers see it as a `Workspace`.
 */
import { KeyedMutex } from "../../contract/keyed-mutex.ts";
import type { AccountDeletion } from "../../db/deletion/open-deletion.ts";
import { guardAlarm } from "../../objects/alarm-clock.ts";
import { purgeFor } from "../../objects/purge-for.ts";
import { type Answer, answer } from "../answer.ts";
import { Pace } from "../pace.ts";
import { fileKey, showPath } from "../resolve-path.ts";
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
} from "../workspace.ts";
import { COMMAND_KEPT_MS, CommandLog } from "./command-log.ts";
import { checkedPath, DurableFiles, notFound } from "./durable-files.ts";
import { KeepingObject } from "./keeping-object.ts";
import { BoundedStore, type FileStore, rootedStore } from "./rooted-store.ts";
import { runScript } from "./run-script.ts";
import { MAX_DURABLE_FILE_BYTES } from "./store-file.ts";
import type { WorkspaceRpc } from "./workspace-rpc.ts";

/** Loaded late: re2js evaluates its Unicode tables on import, which takes longer than a search. */
const durableSearch = () => import("./durable-search.ts");

/**
 * Each method does what it does in `Workspace`. `root` is the directory that all its paths are relative to, created if missing; `callId` is
 * what `abort` refers to, for a list and a search as well as a command.
 */
export class WorkspaceObject extends KeepingObject implements WorkspaceRpc {
  #store = this.#openStore();
  readonly #pace = new Pace();
  readonly #log = new CommandLog(this.deleted.sql);
  readonly #changes = new KeyedMutex();
  readonly #roots = new KeyedMutex();
  readonly #aborts = new Map<string, AbortController>();
  readonly #commands = new Map<string, Promise<CommandResult>>();

  stat(root: string, path: string): Promise<Answer<FileStat | undefined>> {
    return answer(async () => (await this.#files(root)).stat(path));
  }

  read(root: string, path: string, range: Parameters<DurableFiles["read"]>[1]): Promise<Answer<FileBytes>> {
    return answer(async () => {
      // Every turn looks for project instructions: that must not create tables for people who never had a file.
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
    return answer(() =>
      this.#abortable(callId, async (signal) =>
        (await durableSearch()).listFiles(await this.#files(root), query, signal),
      ),
    );
  }

  search(root: string, callId: string, query: SearchQuery): Promise<Answer<SearchResult>> {
    return answer(() =>
      this.#abortable(callId, async (signal) =>
        (await durableSearch()).searchFiles(await this.#files(root), query, signal),
      ),
    );
  }

  run(root: string, command: Command): Promise<Answer<CommandResult>> {
    // Registered at once, because an `abort` may arrive together with the call.
    return answer(() => this.#abortable(command.callId, (signal) => this.#run(root, command, signal)));
  }

  /** Waits while the command is running. */
  find(callId: string): Promise<Answer<CommandResult | undefined>> {
    return answer(async () => (await this.#commands.get(callId)) ?? this.#log.find(callId));
  }

  /** Stops a command, a list or a search; does nothing when it has ended. */
  abort(callId: string): void {
    this.#aborts.get(callId)?.abort();
  }

  /** Stops a command, or keeps an unknown one from ever running, for example because its call is still on its way. */
  stop(callId: string): Promise<Answer<CommandResult | undefined>> {
    this.abort(callId);
    this.#log.start(callId, Date.now());
    return this.find(callId);
  }

  /** The next paths of files, absolute and in order, including those that lists leave out. All at once can be too much for a call. */
  async pathsAfter(after: string): Promise<string[]> {
    if (!this.#hasFiles()) return [];
    const next = "SELECT path FROM cf_workspace_default WHERE type = 'file' AND path > ? ORDER BY path LIMIT 1000";
    return [...this.deleted.sql.exec<{ path: string }>(next, after)].map(({ path }) => path);
  }

  /** A whole file of `pathsAfter`; null when it no longer exists. */
  wholeFile(path: string): Promise<Uint8Array | null> {
    return this.#store.readFileBytes(path);
  }

  /**
   * Deletes everything, stops what is running, and refuses every call until `untilMs`, in epoch ms. Repeating it is harmless. Does nothing
   * for a deletion that is over.
   */
  async purge(deletion: AccountDeletion, untilMs: number): Promise<void> {
    await purgeFor(this.ctx, this.env.DB, deletion, async () => {
      for (const abort of this.#aborts.values()) abort.abort();
      await this.deleted.lay(untilMs);
    });
  }

  override async alarm(): Promise<void> {
    const ring = async () => {
      if (!(await this.deleted.lift(Date.now()))) return await this.dropExpired();
      this.#store = this.#openStore();
    };
    await guardAlarm("workspace", ring, (atMs) => this.ctx.storage.setAlarm(atMs));
  }

  protected override expire(nowMs: number): number | undefined {
    const times = [super.expire(nowMs), this.#log.dropExpired(nowMs)].filter((atMs) => atMs !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #openStore(): BoundedStore {
    return new BoundedStore({ storage: this.deleted.sql, maxFileBytes: MAX_DURABLE_FILE_BYTES });
  }

  #hasFiles(): boolean {
    const { sql } = this.deleted;
    return [...sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'cf_workspace_default'")].length > 0;
  }

  async #files(root: string): Promise<DurableFiles> {
    return new DurableFiles(await this.#rooted(root), this.#pace);
  }

  /** One after the other: two simultaneous first calls that create the same root would fail. */
  #rooted(root: string): Promise<FileStore> {
    return this.#roots.run([root], () => rootedStore(this.#store, root));
  }

  /** Makes changes of one file one after the other, so that none comes between the check of another's condition and its write. */
  #change<Value>(root: string, path: string, work: (files: DurableFiles) => Promise<Value>): Promise<Value> {
    return this.#changes.run([fileKey(`${root}/${checkedPath(path)}`)], async () => work(await this.#files(root)));
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
      await this.ringBy(Date.now() + COMMAND_KEPT_MS);
      return result;
    } finally {
      this.#commands.delete(command.callId);
    }
  }

  async #abortable<Value>(callId: string, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const abort = new AbortController();
    // A repeated call is refused, and must not hide the first one.
    if (!this.#aborts.has(callId)) this.#aborts.set(callId, abort);
    try {
      return await work(abort.signal);
    } finally {
      if (this.#aborts.get(callId) === abort) this.#aborts.delete(callId);
    }
  }
}
