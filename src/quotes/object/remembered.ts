/** What the object of a key remembers of those who use it: its budget, who looks, and who has used how much. */
import { dayOf } from "../../contract/day.ts";
import type { BudgetKeeper } from "./ask-source.ts";
import { type Budget, FRESH_BUDGET } from "./credits.ts";
import { forgetAll, forgetFindings, forgetUnlinked } from "./findings.ts";
import { type Share, targetsName } from "./shares.ts";

type Kv = DurableObjectStorage["kv"];

/** What the key has used. */
export const keptBudget = (kv: Kv): BudgetKeeper => ({
  // A budget of an earlier release lacks some parts.
  read: () => ({ ...FRESH_BUDGET, ...kv.get<Budget>("budget") }),
  write: (budget) => kv.put("budget", budget),
});

/** Whether the account whose key it was is deleted. */
export const isDeleted = (kv: Kv): boolean => kv.get("deleted") !== undefined;

/** Deletes everything, and leaves a mark that the account is deleted. The alarm removes the mark at `untilMs`, in epoch ms. */
export const deleteUntil = async (storage: DurableObjectStorage, untilMs: number): Promise<void> => {
  await storage.deleteAll();
  storage.kv.put("deleted", untilMs);
  await storage.setAlarm(untilMs);
};

/** Returns a function that says, whenever it is called, whether the key is still the present one. */
export const isStill = (kv: Kv): (() => boolean) => {
  const { nth } = keptBudget(kv).read();
  return () => !isDeleted(kv) && keptBudget(kv).read().nth === nth;
};

/** How long prices are kept up after the last look at a list, in ms. */
const WATCHED_MS = 30 * 60_000;

const WATCHERS = "watchers";

/** Notes that somebody looks at their list. */
export const watch = (kv: Kv, owner: string, nowMs: number): void => {
  kv.put(WATCHERS, { ...Object.fromEntries(watching(kv, nowMs)), [owner]: nowMs });
};

const watching = (kv: Kv, nowMs: number): [string, number][] =>
  Object.entries(kv.get<Record<string, number>>(WATCHERS) ?? {}).filter(([, atMs]) => nowMs - atMs < WATCHED_MS);

/**
 * Who has looked lately; whoever has used least of the key today comes first, as the credits of a minute may not be enough for all.
 * Deletes the record once nobody has.
 */
export const watchersOf = (kv: Kv, nowMs: number): string[] => {
  const watchers = watching(kv, nowMs).map(([owner]) => [owner, shareOf(kv, owner).used(nowMs)] as const);
  if (watchers.length === 0) kv.delete(WATCHERS);
  return watchers.sort(([, one], [, other]) => one - other).map(([owner]) => owner);
};

/** Shortest time between two refreshes that a person or the agent asks for, in ms. */
const REFRESH_PAUSE_MS = 60_000;

const REFRESHED = "refreshed ";

/** Whether this owner may refresh now; if so, it is counted. The same `requestId` may come again, as after the object was evicted. */
export const takeRefresh = (kv: Kv, owner: string, requestId: string, nowMs: number): boolean => {
  const last = kv.get<Refresh | number>(REFRESHED + owner);
  // An earlier release has kept the time alone.
  const { atMs, by } = typeof last === "object" ? last : { atMs: last ?? 0, by: undefined };
  if (by === requestId) return true;
  if (nowMs - atMs < REFRESH_PAUSE_MS) return false;
  kv.put(REFRESHED + owner, { atMs: nowMs, by: requestId } satisfies Refresh);
  return true;
};

type Refresh = { readonly atMs: number; readonly by: string };

const USED = "used ";

const USED_DAY = "used-day";

/**
 * What this owner, or the limit with this name (`shares.ts`), has used today (UTC, as the budget counts). Read once: a round asks for it
 * often.
 */
export const shareOf = (kv: Kv, owner: string): Share => {
  let known = { day: kv.get<string>(USED_DAY), credits: kv.get<number>(USED + owner) ?? 0 };
  return {
    used: (nowMs) => (known.day === dayOf(nowMs) ? known.credits : 0),
    add: (credits, nowMs) => {
      const day = dayOf(nowMs);
      if (kv.get<string>(USED_DAY) !== day) forgetAll(kv, USED);
      known = { day, credits: (kv.get<number>(USED + owner) ?? 0) + credits };
      kv.put(USED_DAY, day);
      kv.put(USED + owner, known.credits);
    },
  };
};

/** Forgets one user of the deployment's key. */
export const forgetOwner = (kv: Kv, owner: string): void => {
  kv.delete(REFRESHED + owner);
  kv.delete(USED + owner);
  kv.delete(USED + targetsName(owner));
  forgetUnlinked(kv, owner);
  const { [owner]: _, ...others } = kv.get<Record<string, number>>(WATCHERS) ?? {};
  kv.put(WATCHERS, others);
};

const OWNER = "owner";

/** Stores whose key it is, for when nobody looks. */
export const keepOwner = (kv: Kv, owner: string): void => {
  if (ownerOf(kv) !== owner) kv.put(OWNER, owner);
};

/** Whose key it is; undefined before they first came, and for the deployment's. */
export const ownerOf = (kv: Kv): string | undefined => kv.get<string>(OWNER);

/** Starts over for another key, or for none: what was used, refused or found belonged to the last one. */
export const startOver = (kv: Kv): void => {
  const budget = keptBudget(kv);
  budget.write({ ...FRESH_BUDGET, nth: budget.read().nth + 1 });
  forgetAll(kv, USED);
  forgetFindings(kv);
};

const FINGERPRINT = "key";

/**
 * Starts over if this is not the key of the last call: nobody tells the object that the deployment has another key, and of a person's it
 * may not have heard. A key that an earlier release was refused with is tried once, because that release did not record which one it was.
 */
export const noteKey = (kv: Kv, fingerprint: string): void => {
  const known = kv.get<string>(FINGERPRINT);
  if (known === fingerprint) return;
  const budget = keptBudget(kv);
  const { lastError } = budget.read();
  if (known !== undefined) startOver(kv);
  else if (lastError === "auth") budget.write({ ...budget.read(), pausedUntilMs: 0, failures: 0, lastError: null });
  kv.put(FINGERPRINT, fingerprint);
};
