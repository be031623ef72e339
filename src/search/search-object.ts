/** The words of one person's chats, so that no text of chats is in D1. A copy: the truth is in runs and sessions. */
import { DurableObject } from "cloudflare:workers";
import type { ThreadId } from "../contract/ids.ts";
import type { AccountDeletion } from "../db/deletion/open-deletion.ts";
import type { Env } from "../env.ts";
import { guardAlarm } from "../objects/alarm-clock.ts";
import { purgeFor } from "../objects/purge-for.ts";
import { ChatIndex } from "./chat-index.ts";
import type { BranchedTurns, Found, SaidInTurn, SearchRpc } from "./search-rpc.ts";

/** Until when a deleted search takes nothing, in epoch ms. */
const DELETED = "deleted";

/** The object behind a person's search of chats. */
export class SearchObject extends DurableObject<Env> implements SearchRpc {
  readonly #index = new ChatIndex(this.ctx.storage);

  /** Takes in a turn, once for each run. A turn of a thread that was deleted since it was started is left out. */
  put(turn: SaidInTurn): void {
    if (!this.#isDeleted()) this.#index.put(turn);
  }

  /**
   * Makes the turns that a branch inherits searchable in the branch too, even when the original is deleted. One call takes in a part of
   * them, and returns whether there are more. Repeating it is harmless.
   */
  branch(turns: BranchedTurns): boolean {
    return !this.#isDeleted() && this.#index.branch(turns);
  }

  /** Threads in which all words are found in one turn, each with its newest such turn. */
  async find(query: string): Promise<Found[]> {
    return this.#isDeleted() ? [] : await this.#index.find(query);
  }

  /**
   * Forgets a thread, except these runs. Turns that were started up to `untilMs` are not taken in any more. One call forgets a part, and
   * returns whether there is more.
   */
  removeThread(threadId: ThreadId, untilMs: number, keptRunIds: readonly string[] = []): boolean {
    return !this.#isDeleted() && this.#index.removeThread(threadId, untilMs, keptRunIds);
  }

  /** Deletes everything, and takes nothing until `untilMs`, as calls may be on their way. Does nothing for a deletion that is over. */
  async purge(deletion: AccountDeletion, untilMs: number): Promise<void> {
    await purgeFor(this.ctx, this.env.DB, deletion, async () => {
      await this.ctx.storage.deleteAll();
      this.#index.reset();
      this.ctx.storage.kv.put(DELETED, untilMs);
      await this.ctx.storage.setAlarm(untilMs);
    });
  }

  override async alarm(): Promise<void> {
    await guardAlarm(
      "search",
      async () => {
        const untilMs = this.ctx.storage.kv.get<number>(DELETED);
        if (untilMs === undefined) return;
        if (Date.now() < untilMs) return await this.ctx.storage.setAlarm(untilMs);
        await this.ctx.storage.deleteAll();
        this.#index.reset();
      },
      (atMs) => this.ctx.storage.setAlarm(atMs),
    );
  }

  #isDeleted(): boolean {
    return this.ctx.storage.kv.get(DELETED) !== undefined;
  }
}
