/** What one harness session stores, as it is read out, copied to a branch of the thread, and given rules. */
import { DurableObject } from "cloudflare:workers";
import type { RequestId } from "../contract/ids.ts";
import type { Env } from "../env.ts";
import { migrateObject, TOMBSTONE } from "../objects/object-schema.ts";
import { ObjectTables } from "../objects/object-tables.ts";
import { ConversationStore, type StoredCompaction } from "./conversation-store.ts";
import { type Copied, type CopiedPiece, FileCopy } from "./file-copy.ts";
import { ForkCopy, type ForkPart } from "./fork-copy.ts";
import { RewindStore } from "./rewind-store.ts";
import { RuleStore, type StandingRule } from "./rule-store.ts";
import { type QueuePlace, RunQueue } from "./run-queue.ts";
import { FIRST_SESSION_TABLES, SESSION_MIGRATIONS } from "./session-schema.ts";
import type { ExportedPage } from "./session-wire.ts";

/** The stores of a session's object, and the methods that need nothing else. */
export class StoredSession extends DurableObject<Env> {
  protected readonly tables = new ObjectTables(this.ctx.storage);
  protected readonly queue = new RunQueue(this.ctx.storage.sql);
  protected readonly rewinds = new RewindStore(this.tables);
  protected readonly conversation = new ConversationStore(this.tables, this.rewinds);
  protected readonly rules = new RuleStore(this.tables);
  protected readonly copy = new FileCopy(this.tables);
  protected hasTables = false;
  readonly #forks = new ForkCopy(this.tables, this.rewinds);

  /** A page of the conversation for its owner, newest first, including what is no longer sent. */
  exportPage(beforeId: number | null): ExportedPage {
    if (!this.exists()) return { blocks: [], nextBefore: null, omitted: {} };
    return { ...this.conversation.pageOfAll(beforeId), omitted: this.conversation.head().omitted };
  }

  /** The summaries that were made of the conversation, oldest first. */
  exportCompactions(): StoredCompaction[] {
    return this.exists() ? this.conversation.compactions() : [];
  }

  /** What its harness remembers, of all epochs. */
  allFacts(): string[] {
    return this.exists() ? this.conversation.allFacts() : [];
  }

  /** The size of the file's copy, and its first piece at `offset` or after it. */
  copied(offset: number): Copied {
    return this.exists() ? this.copy.copied(offset) : { size: 0, piece: undefined };
  }

  async listRules(): Promise<StandingRule[]> {
    return this.exists() ? this.rules.list() : [];
  }

  addRule(rule: StandingRule): void {
    if (this.exists()) this.tables.write(() => this.rules.add(rule));
  }

  /** Revokes a rule. Repeating it changes nothing. */
  removeRule(ruleId: RequestId): void {
    if (this.exists()) this.rules.revoke(ruleId, Date.now());
  }

  /**
   * What a branch of the thread needs of these runs, from the row after `afterId` on. Undefined when the session was deleted, when it has
   * started over since that row, or when one of the runs was replaced because somebody went back: the branch would then list a turn that
   * its agent was never told of.
   */
  forkPart(runIds: readonly string[], afterId: number): ForkPart | undefined {
    if (!this.exists() || !this.#forks.goesOnAfter(afterId)) return undefined;
    const replaced = new Set(this.rewinds.replaced());
    return runIds.some((runId) => replaced.has(runId)) ? undefined : this.#forks.part(runIds, afterId);
  }

  /** Takes over a part of another session's conversation. Returns the row to go on after; undefined if this session was deleted. */
  takeForkPart(part: ForkPart): number | undefined {
    if (!this.exists() && this.tables.has(TOMBSTONE)) return undefined;
    const newest = this.tables.write(() => {
      if (!this.tables.has("session")) this.tables.makeFirst(FIRST_SESSION_TABLES);
      this.queue.beginEmpty();
      return this.#forks.take(part);
    });
    this.hasTables = true;
    return newest;
  }

  /**
   * Takes over a piece of the file's copy. Refused after the last part of the conversation: from then on the copy is this session's own.
   */
  takeCopy(piece: CopiedPiece): boolean {
    if (!this.exists() || this.#forks.isWhole) return false;
    // It was taken before: the answer was lost, or two requests under one key are making the same branch.
    if (this.copy.has(piece)) return true;
    return this.tables.write(() => this.copy.add(piece));
  }

  /** Whether the session has its tables, which then have the newest version. */
  protected exists(): boolean {
    this.hasTables ||= migrateObject(this.ctx.storage, this.tables, "session", SESSION_MIGRATIONS);
    return this.hasTables;
  }

  /** Creates the session with its first run. */
  protected begin(runId: string): QueuePlace {
    const place = this.tables.write(() => {
      this.tables.makeFirst(FIRST_SESSION_TABLES);
      return this.queue.begin(runId);
    });
    this.hasTables = true;
    return place;
  }
}
