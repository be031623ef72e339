/**
 * What an owner's object does besides being a workspace: it keeps files as they were before runs changed them, so that a person can
 * undo the changes (decision 0147). It also keeps them when the workspace itself is a directory on a machine, since the machine may be
 * away when the files have to be deleted.
 */
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../env.ts";
import { type Answer, answer } from "../answer.ts";
import { DeletedWorkspace } from "./deleted-workspace.ts";

/** The kept files of one owner. */
export class KeepingObject extends DurableObject<Env> {
  protected readonly deleted = new DeletedWorkspace(this.ctx.storage);
  readonly #kept = new KeptFileStore(this.ctx.storage, this.deleted.sql);

  /** Keeps a file as it was before a run changed it. */
  keep(runId: string, path: string, bytes: Uint8Array): Promise<Answer<void>> {
    return answer(async () => {
      this.#kept.keep(runId, path, bytes, Date.now());
      if ((await this.ctx.storage.getAlarm()) === null) await this.dropExpired();
    });
  }

  keptPaths(runId: string): Promise<Answer<string[]>> {
    return answer(async () => this.#kept.paths(runId));
  }

  keptContent(runId: string, path: string): Promise<Answer<Uint8Array | undefined>> {
    return answer(async () => this.#kept.content(runId, path));
  }

  /** Forgets what was kept for a run. Repeating it is harmless. */
  dropKept(runId: string): void {
    if (!this.deleted.isLaid) this.#kept.drop(runId);
  }

  /** Drops what is too old, and sets the alarm to the time when more will be. */
  protected async dropExpired(): Promise<void> {
    const nextMs = this.deleted.isLaid ? undefined : this.expire(Date.now());
    if (nextMs !== undefined) await this.ctx.storage.setAlarm(nextMs);
  }

  /** Drops kept files that are too old. Returns when the next one will be, in epoch ms; undefined when nothing is kept. */
  protected expire(nowMs: number): number | undefined {
    return this.#kept.dropExpired(nowMs);
  }

  /** Has the alarm ring at that time, in epoch ms, unless it rings sooner. */
  protected async ringBy(atMs: number): Promise<void> {
    const setMs = await this.ctx.storage.getAlarm();
    if (setMs === null || atMs < setMs) await this.ctx.storage.setAlarm(atMs);
  }
}

/** Most bytes that are kept for one owner: 100 MiB. The oldest give way to new ones. */
const MAX_OWNER_BYTES = 100 * 1_024 * 1_024;

/** How long a file is kept, in ms: 30 days, as long as the run can be undone. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** `place` grows with each file, so the oldest come first. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS kept_file (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    kept_at_ms INTEGER NOT NULL,
    content BLOB NOT NULL,
    UNIQUE (run_id, path)
  ) STRICT;
`;

/** The `kept_file` table of one owner. `keep` creates it. */
class KeptFileStore {
  readonly #storage: DurableObjectStorage;
  /** Refuses once the workspace is deleted. */
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage, sql: SqlStorage) {
    this.#storage = storage;
    this.#sql = sql;
  }

  /**
   * Keeps a file of a run, and replaces an earlier version of it. Drops files that are too old, and the oldest ones if there is no room for
   * this one.
   */
  keep(runId: string, path: string, bytes: Uint8Array, nowMs: number): void {
    this.#storage.transactionSync(() => {
      this.#sql.exec(SCHEMA);
      this.dropExpired(nowMs);
      this.#sql.exec("DELETE FROM kept_file WHERE run_id = ? AND path = ?", runId, path);
      this.#makeRoom(bytes.byteLength);
      this.#sql.exec(
        "INSERT INTO kept_file (run_id, path, size, kept_at_ms, content) VALUES (?, ?, ?, ?, ?)",
        ...[runId, path, bytes.byteLength, nowMs, bytes],
      );
    });
  }

  /** The paths of a run's files that are kept. */
  paths(runId: string): string[] {
    if (!this.#exists()) return [];
    const rows = this.#sql.exec<{ path: string }>("SELECT path FROM kept_file WHERE run_id = ?", runId);
    return [...rows].map(({ path }) => path);
  }

  content(runId: string, path: string): Uint8Array | undefined {
    if (!this.#exists()) return undefined;
    const [row] = this.#sql.exec<{ content: ArrayBuffer }>(
      "SELECT content FROM kept_file WHERE run_id = ? AND path = ?",
      ...[runId, path],
    );
    return row && new Uint8Array(row.content);
  }

  /** Forgets a run. */
  drop(runId: string): void {
    if (this.#exists()) this.#sql.exec("DELETE FROM kept_file WHERE run_id = ?", runId);
  }

  /** Drops what is too old. Returns when the next file will be, in epoch ms; undefined when nothing is kept. */
  dropExpired(nowMs: number): number | undefined {
    if (!this.#exists()) return undefined;
    this.#sql.exec("DELETE FROM kept_file WHERE kept_at_ms <= ?", nowMs - KEPT_MS);
    const [oldest] = this.#sql.exec<{ kept_at_ms: number }>("SELECT kept_at_ms FROM kept_file ORDER BY place LIMIT 1");
    return oldest && oldest.kept_at_ms + KEPT_MS;
  }

  /** Drops the oldest until there is room for this many bytes. */
  #makeRoom(bytes: number): void {
    const { total } = this.#sql.exec<{ total: number }>("SELECT coalesce(sum(size), 0) AS total FROM kept_file").one();
    let excess = total + bytes - MAX_OWNER_BYTES;
    while (excess > 0) {
      const [oldest] = this.#sql.exec<{ size: number }>(
        "DELETE FROM kept_file WHERE place = (SELECT min(place) FROM kept_file) RETURNING size",
      );
      if (oldest === undefined) return;
      excess -= oldest.size;
    }
  }

  #exists(): boolean {
    return [...this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'kept_file'")].length > 0;
  }
}
