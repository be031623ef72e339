/**
 * One key: an owner's, or the deployment's. It alone asks the source with it, one request after the other, within the key's budget. What
 * it learns is in D1; here is only what the key has used. Its alarm continues when the next credits come, or the next price is due,
 * for as long as somebody looks.
 */
import { DurableObject } from "cloudflare:workers";
import { OwnerEmail } from "../contract/ids.ts";
import { openDb } from "../db/db.ts";
import { type ListingRow, ownersListings } from "../db/prices/instruments.ts";
import type { Env } from "../env.ts";
import { guardAlarm } from "../objects/alarm-clock.ts";
import { findAccess } from "./find-access.ts";
import type { Asker, BudgetKeeper } from "./object/ask-source.ts";
import { type Budget, creditsNow, creditsOfDay, FRESH_BUDGET, nextCreditsAt } from "./object/budget.ts";
import { closesBehind, dueAt, dueListings, nextBatch, type Pace } from "./object/due.ts";
import { catchUpCloses, fetchHistory } from "./object/fetch-history.ts";
import { linkUnlinked, searchSource } from "./object/link-stocks.ts";
import type { KeyStatus, QuotesRpc, RefreshResult } from "./object/quotes-rpc.ts";
import { type Outcome, refreshBatch } from "./object/refresh-batch.ts";
import {
  cachedSearch,
  forgetSearches,
  searchedBefore,
  takeClosesTurn,
  watch,
  watchersOf,
} from "./object/remembered.ts";
import { clockAt } from "./rules/market-clock.ts";
import type { ListedMatch, RefusalReason } from "./sources/quote-source.ts";

/** Shortest time between two refreshes that a person or the agent asks for, in ms. */
const REFRESH_PAUSE_MS = 60_000;

/** Below this part of the day's credits each price is asked for once, after its close. */
const SHORT = 0.2;

/** The object of a scope; its name is the scope. */
export class QuotesObject extends DurableObject<Env> implements QuotesRpc {
  readonly #kv = this.ctx.storage.kv;
  readonly #budget: BudgetKeeper = {
    read: () => this.#kv.get<Budget>("budget") ?? FRESH_BUDGET,
    write: (budget) => this.#kv.put("budget", budget),
  };
  #working: Promise<void> | undefined;

  /** Somebody looks at their list: links their stocks, and fetches what is due. Resolves when that is done. */
  async wake(owner: string): Promise<void> {
    if (this.#isDeleted()) return;
    watch(this.#kv, owner, Date.now());
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
    await this.#working;
  }

  /** Asks for the prices of these listings now, or of all, within the budget. Once a minute. */
  async refresh(owner: string, instrumentIds: readonly string[] | null): Promise<RefreshResult | "too_soon"> {
    const nowMs = Date.now();
    if (this.#isDeleted()) return { accepted: [], pending: [], refused: [] };
    const last = this.#kv.get<number>(`refreshed ${owner}`) ?? 0;
    if (nowMs - last < REFRESH_PAUSE_MS) return "too_soon";
    this.#kv.put(`refreshed ${owner}`, nowMs);
    await this.#working;
    const asker = await this.#asker(owner);
    if (asker === undefined) return { accepted: [], pending: [], refused: [] };
    const all = await this.#listings(owner, asker);
    const wanted = instrumentIds === null ? all : all.filter(({ id }) => instrumentIds.includes(id));
    const outcomes = await this.#refreshAll(asker, wanted);
    const of = (result: "accepted" | "held") => outcomes.filter((one) => one.result === result).map(({ id }) => id);
    const asked = new Set(outcomes.map(({ id }) => id));
    const retryAtMs = nextCreditsAt(this.#budget.read(), asker.key.source, Date.now());
    return {
      accepted: of("accepted"),
      pending: [...of("held"), ...wanted.flatMap(({ id }) => (asked.has(id) ? [] : [id]))],
      refused: outcomes.flatMap(({ id, result }) =>
        typeof result === "string"
          ? []
          : [{ id, reason: result.refused, retryAtMs: isPassing(result) ? retryAtMs : null }],
      ),
    };
  }

  /** Searches the source. */
  async search(owner: string, q: string): Promise<{ matches: ListedMatch[] } | { refused: RefusalReason }> {
    const asker = this.#isDeleted() ? undefined : await this.#asker(owner);
    return asker === undefined
      ? { matches: [] }
      : await cachedSearch(this.#kv, q, Date.now(), () => searchSource(asker, q));
  }

  /** Fetches the closes of one listing of the owner's. */
  async history(owner: string, instrumentId: string): Promise<void> {
    const asker = this.#isDeleted() ? undefined : await this.#asker(owner);
    if (asker === undefined) return;
    const listing = (await this.#listings(owner, asker)).find(({ id }) => id === instrumentId);
    if (listing !== undefined && listing.lastClose === null) await fetchHistory(asker, openDb(this.env.DB), listing);
  }

  /** What is left of the key. */
  async status(owner: string): Promise<KeyStatus> {
    const asker = this.#isDeleted() ? undefined : await this.#asker(owner);
    const budget = this.#budget.read();
    const creditsLeft = asker === undefined ? null : creditsOfDay(budget, asker.key.source, Date.now());
    return { creditsLeft, lastError: budget.lastError };
  }

  /** Another key: what was used and refused was the last one's. */
  async forgive(): Promise<void> {
    this.#budget.write(FRESH_BUDGET);
    forgetSearches(this.#kv);
  }

  /** Deletes everything, and refuses all calls until then: some may be on their way. */
  async purge(untilMs: number): Promise<void> {
    await this.ctx.storage.deleteAll();
    this.#kv.put("deleted", untilMs);
    await this.ctx.storage.setAlarm(untilMs);
  }

  override async alarm(): Promise<void> {
    const setAlarm = (atMs: number) => this.ctx.storage.setAlarm(atMs);
    await guardAlarm("quotes", () => this.#ring(), setAlarm);
  }

  async #ring(): Promise<void> {
    const untilMs = this.#kv.get<number>("deleted");
    if (untilMs === undefined) await this.#work();
    else if (Date.now() >= untilMs) await this.ctx.storage.deleteAll();
    else await this.ctx.storage.setAlarm(untilMs);
  }

  /** Refreshes what is due for everybody who has looked lately, and sets the alarm for what is due next. */
  async #work(): Promise<void> {
    const db = openDb(this.env.DB);
    let nextMs = Number.POSITIVE_INFINITY;
    for (const owner of watchersOf(this.#kv, Date.now())) {
      const asker = await this.#asker(owner);
      if (asker === undefined) continue;
      await linkUnlinked(asker, db, OwnerEmail.parse(owner), searchedBefore(this.#kv));
      const listings = await this.#listings(owner, asker);
      const clock = clockAt(Date.now());
      const due = dueListings(listings, clock, Date.now(), this.#pace(asker));
      const asked = new Set((await this.#refreshAll(asker, due)).map(({ id }) => id));
      const takeTurn = (id: string) => !this.#isShort(asker) && takeClosesTurn(this.#kv, id, Date.now());
      await catchUpCloses(asker, db, closesBehind(listings, clock), takeTurn);
      const isLeft = due.some(({ id }) => !asked.has(id));
      const later = listings.filter(({ id }) => asked.has(id)).map((one) => ({ ...one, askedAtMs: Date.now() }));
      const others = listings.filter(({ id }) => !asked.has(id) && !due.some((one) => one.id === id));
      const dues = [...later, ...others].map((one) => dueAt(one, clock, this.#pace(asker)));
      nextMs = Math.min(nextMs, ...dues);
      if (isLeft) nextMs = Math.min(nextMs, nextCreditsAt(this.#budget.read(), asker.key.source, Date.now()));
    }
    if (Number.isFinite(nextMs) && nextMs < Number.MAX_SAFE_INTEGER) {
      await this.ctx.storage.setAlarm(Math.max(nextMs, Date.now() + 1_000));
    }
  }

  /** Batch after batch, until all are asked for or the credits are used up. */
  async #refreshAll(asker: Asker, listings: readonly ListingRow[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    let left = [...listings];
    for (;;) {
      const credits = creditsNow(this.#budget.read(), asker.key.source, Date.now());
      const batch = credits === 0 ? [] : nextBatch(left, asker.key.source, credits);
      if (batch.length === 0) return outcomes;
      outcomes.push(...(await refreshBatch(asker, openDb(this.env.DB), batch)));
      left = left.filter((one) => !batch.includes(one));
    }
  }

  #pace(asker: Asker): Pace {
    return { isShort: this.#isShort(asker), tradingPauseMs: asker.key.source.tradingPauseMs };
  }

  #isShort({ key: { source } }: Asker): boolean {
    return creditsOfDay(this.#budget.read(), source, Date.now()) < source.creditsADay * SHORT;
  }

  async #asker(owner: string): Promise<Asker | undefined> {
    const key = await findAccess(this.env, openDb(this.env.DB), OwnerEmail.parse(owner));
    return key && { key, budget: this.#budget, nowMs: Date.now };
  }

  #listings(owner: string, { key: { scope, source } }: Asker): Promise<ListingRow[]> {
    return ownersListings(openDb(this.env.DB), OwnerEmail.parse(owner), scope, source.id);
  }

  #isDeleted(): boolean {
    return this.#kv.get("deleted") !== undefined;
  }
}

const isPassing = ({ refused }: { readonly refused: RefusalReason }): boolean => ["budget", "down"].includes(refused);
