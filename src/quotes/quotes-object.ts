/**
 * The object of one key, an owner's or the deployment's. Once the key is stored, it alone asks with it, within the key's budget: one
 * request after the other, except that searches do not wait (decision 0104). What it learns is stored in D1; the object itself keeps what
 * the key has used, who looks, and what was found. Its alarm rings when the next credits come or the next price is due: for all prices as
 * long as somebody looks, and always for the targets that somebody is to be told of.
 */
import { DurableObject } from "cloudflare:workers";
import { OwnerEmail } from "../contract/ids.ts";
import { openImpatientDb } from "../db/db.ts";
import type { AccountDeletion } from "../db/deletion/open-deletion.ts";
import { type ListingRow, ownersListings } from "../db/prices/instruments.ts";
import { findPriced } from "../db/prices/priced-stocks.ts";
import type { TargetListing } from "../db/prices/target-listings.ts";
import type { Env } from "../env.ts";
import { guardAlarm } from "../objects/alarm-clock.ts";
import { purgeFor } from "../objects/purge-for.ts";
import type { Asker } from "./object/ask-source.ts";
import { Askers } from "./object/askers.ts";
import { creditsOfDay, nextCreditsAt, pausedBy } from "./object/credits.ts";
import { catchUpCloses } from "./object/fetch-history.ts";
import { cachedSearch, linkedBefore } from "./object/findings.ts";
import { type KnownTargets, roundForTargetsNow, targetsOf } from "./object/known-targets.ts";
import { linkUnlinked, searchSource } from "./object/link-stocks.ts";
import { OneAtATime } from "./object/one-at-a-time.ts";
import type { KeyStatus, QuotesRpc, RefreshResult } from "./object/quotes-rpc.ts";
import { NOTHING_ASKED, refreshResult } from "./object/refresh-result.ts";
import {
  deleteUntil,
  forgetOwner,
  isDeleted,
  keptBudget,
  ownerOf,
  startOver,
  takeRefresh,
  watch,
  watchersOf,
} from "./object/remembered.ts";
import { keptFor, leavingToTargets, refreshAll, roundForLooker } from "./object/rounds.ts";
import type { ListedMatch, RefusalReason } from "./sources/quote-source.ts";

/** The object of a scope; its name is the scope. */
export class QuotesObject extends DurableObject<Env> implements QuotesRpc {
  readonly #kv = this.ctx.storage.kv;
  readonly #budget = keptBudget(this.#kv);
  readonly #db = openImpatientDb(this.env.DB);
  readonly #askers = new Askers(this.ctx, this.env, this.#db);
  readonly #working = new OneAtATime(() => this.#work());
  /** The owners whom the next round is for. A look adds only its own: where the key is everybody's, hundreds may be looking. */
  #wanted = new Set<string>();
  /** What the last round for targets was about, unless somebody has said since that targets have changed. */
  #known: KnownTargets | undefined;

  /** Somebody looks at their list: links their stocks, and fetches what is due. Resolves when that is done. */
  async wake(owner: string): Promise<void> {
    if (isDeleted(this.#kv)) return;
    watch(this.#kv, owner, Date.now());
    await this.#askers.keepOwner(owner);
    this.#wanted.add(owner);
    await this.#working.run();
  }

  /** Fetches the prices of targets that are due, and goes on doing so. Resolves when the first round is done. */
  async watchTargets(owner: string): Promise<void> {
    if ((await this.#askers.of(owner)) === undefined) return;
    await this.#askers.keepOwner(owner);
    await this.#working.alone(async () => {
      this.#known = undefined;
      // Read in its turn: the key may have been replaced while this waited.
      const asker = await this.#askers.of(owner);
      if (asker !== undefined) await this.#link(owner, asker, await targetsOf(asker, this.#db));
    });
    await this.#working.run();
  }

  /**
   * Asks for the prices of these stocks, or of all, now and within the budget, and links them first; at most once a minute. A request may
   * be repeated.
   */
  async refresh(
    owner: string,
    stockIds: readonly string[] | null,
    requestId: string,
  ): Promise<RefreshResult | "too_soon"> {
    const nowMs = Date.now();
    if (isDeleted(this.#kv)) return NOTHING_ASKED;
    if (!takeRefresh(this.#kv, owner, requestId, nowMs)) return "too_soon";
    return await this.#working.alone(async () => {
      const asker = await this.#askers.of(owner);
      if (asker === undefined) return NOTHING_ASKED;
      const notFound = await this.#link(owner, asker, await targetsOf(asker, this.#db));
      const stocks = await findPriced(this.#db, OwnerEmail.parse(owner), stockIds);
      const wanted = new Set(stocks.map(({ instrumentId }) => instrumentId));
      const listings = (await this.#listings(owner, asker)).filter(({ id }) => wanted.has(id));
      // The targets are read again, because a stock that was just linked may have one.
      const outcomes = await refreshAll(asker, this.#db, listings, keptFor(asker, await targetsOf(asker, this.#db)));
      const [budget, now] = [this.#budget.read(), Date.now()];
      const retryAtMs = nextCreditsAt(budget, asker.key.source, now);
      return refreshResult(stocks, notFound, outcomes, pausedBy(budget, now), retryAtMs);
    });
  }

  /** Searches the source. */
  async search(owner: string, q: string): Promise<{ matches: ListedMatch[] } | { refused: RefusalReason }> {
    const asker = await this.#askers.of(owner);
    if (asker === undefined) return { matches: [] };
    const words = asker.key.source.searchWords(q);
    return await cachedSearch(this.#kv, words, Date.now(), () => searchSource(asker, words));
  }

  /** Fetches the closes of one listing of the owner's. */
  async history(owner: string, instrumentId: string): Promise<void> {
    await this.#working.alone(async () => {
      const asker = await this.#askers.of(owner);
      if (asker === undefined) return;
      const listings = await this.#listings(owner, asker);
      const wanted = listings.filter(({ id, lastClose }) => id === instrumentId && lastClose === null);
      await catchUpCloses(asker, this.#db, wanted);
    });
  }

  /** What is left of the key. */
  async status(owner: string): Promise<KeyStatus> {
    const asker = await this.#askers.of(owner);
    const budget = this.#budget.read();
    const creditsLeft = asker === undefined ? null : creditsOfDay(budget, asker.key.source, Date.now());
    return { creditsLeft, lastError: budget.lastError };
  }

  /** Starts over for another key, or for none. */
  async forgive(): Promise<void> {
    startOver(this.#kv);
    if (ownerOf(this.#kv) !== undefined) await this.ctx.storage.setAlarm(Date.now());
  }

  /** Forgets the owner of an account that is being deleted, where the key is everybody's. */
  async forget(deletion: AccountDeletion): Promise<void> {
    await purgeFor(this.ctx, this.env.DB, deletion, () => forgetOwner(this.#kv, deletion.ownerEmail));
  }

  /** Deletes everything, and refuses all calls until `untilMs`, since some may be on their way. Does nothing if the deletion is over. */
  async purge(deletion: AccountDeletion, untilMs: number): Promise<void> {
    await purgeFor(this.ctx, this.env.DB, deletion, () => deleteUntil(this.ctx.storage, untilMs));
  }

  override async alarm(): Promise<void> {
    await guardAlarm(
      "quotes",
      () => this.#ring(),
      (atMs) => this.ctx.storage.setAlarm(atMs),
    );
  }

  async #ring(): Promise<void> {
    const untilMs = this.#kv.get<number>("deleted");
    if (untilMs === undefined) {
      for (const owner of watchersOf(this.#kv, Date.now())) this.#wanted.add(owner);
      return await this.#working.run();
    }
    await (Date.now() >= untilMs ? this.ctx.storage.deleteAll() : this.ctx.storage.setAlarm(untilMs));
  }

  /** Refreshes what is due for the owners that are wanted, then for targets, and sets the alarm for what is due next. */
  async #work(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = new Set();
    const dues: number[] = [];
    const watchers = watchersOf(this.#kv, Date.now());
    const forTargets = await this.#askers.ofTargets();
    const known = this.#known?.isFresh() ? this.#known : undefined;
    const targets = known?.targets ?? (forTargets === undefined ? [] : await targetsOf(forTargets, this.#db));
    for (const owner of watchers.filter((one) => wanted.has(one))) {
      const asker = await this.#askers.of(owner);
      if (asker === undefined) continue;
      await this.#link(owner, asker, targets);
      const looked = { listings: await this.#listings(owner, asker), targets };
      dues.push(await roundForLooker(asker, this.#db, looked));
    }
    // Otherwise the targets are read again, because prices that were just fetched for lookers are not due any more.
    this.#known = known ?? (forTargets && (await roundForTargetsNow(forTargets, this.#db)));
    if (this.#known !== undefined) dues.push(this.#known.dueMs);
    const nextMs = Math.min(...dues);
    if (nextMs >= Number.MAX_SAFE_INTEGER) return;
    const alarmMs = Math.max(nextMs, Date.now() + 1_000);
    // It may have to ring sooner for watchers who were not in this round.
    const setMs = watchers.every((one) => wanted.has(one)) ? null : await this.ctx.storage.getAlarm();
    if (setMs === null || alarmMs < setMs) await this.ctx.storage.setAlarm(alarmMs);
  }

  /** Links the owner's stocks, with the credits that targets leave. Returns the ids of stocks without any listing. */
  #link(owner: string, asker: Asker, targets: readonly TargetListing[]): Promise<ReadonlySet<string>> {
    const others = leavingToTargets(asker, targets);
    return linkUnlinked(others, this.#db, OwnerEmail.parse(owner), linkedBefore(this.#kv, owner));
  }

  #listings(owner: string, { key: { scope, source } }: Asker): Promise<ListingRow[]> {
    return ownersListings(this.#db, OwnerEmail.parse(owner), scope, source.id);
  }
}
