/**
 * Who may use how much of a key that all people share. All targets have a part of its day's credits, and those of one owner a part of
 * that. Nobody waits for targets, so without a limit those of one person could take a whole day's credits before anybody looks
 * (decision 0217).
 */
import type { TargetListing } from "../../db/prices/target-listings.ts";

/** What somebody has used of today's credits of a shared key. */
export type Share = { used(nowMs: number): number; add(credits: number, nowMs: number): void };

/** The largest part of a day's credits for all targets: the other half is for those who look, search or open a chart. */
const ALL_TARGETS = 0.5;

/** The largest part of these for one owner's targets: the other half is for everybody else's. */
const ONE_OWNERS = 0.5;

/** A part of each day's credits that is not exceeded, and what is left of it. */
export type Limit = {
  readonly creditsADay: number;
  left(nowMs: number): number;
  add(credits: number, nowMs: number): void;
};

/** The limit of all targets, and within it the limit of one owner's targets. */
export type TargetsLimit = Limit & { of(owner: string): Limit };

/** Makes the limit of all targets. `shareOf` says what has been used within each limit, by the limit's name. */
export const targetsLimit = (dayCredits: number, shareOf: (name: string) => Share): TargetsLimit => {
  const all = limitOf(dayCredits * ALL_TARGETS, shareOf("targets"));
  return {
    ...all,
    of: (owner) => {
      const own = limitOf(all.creditsADay * ONE_OWNERS, shareOf(targetsName(owner)));
      return {
        creditsADay: own.creditsADay,
        left: (nowMs) => Math.min(all.left(nowMs), own.left(nowMs)),
        add: (credits, nowMs) => {
          all.add(credits, nowMs);
          own.add(credits, nowMs);
        },
      };
    },
  };
};

/** The name of the limit of one owner's targets. No owner's own share has it, because no e-mail has a space. */
export const targetsName = (owner: string): string => `targets ${owner}`;

const limitOf = (credits: number, { used, add }: Share): Limit => {
  const creditsADay = Math.floor(credits);
  return { creditsADay, left: (nowMs) => Math.max(0, creditsADay - used(nowMs)), add };
};

/** Targets whose prices are asked for within one owner's limit. */
type Payer = { readonly limit: Limit; readonly targets: readonly TargetListing[] };

/**
 * Who pays for which targets, those with the most left first. A listing that several owners watch is paid for by the owner with the most
 * credits left, so one owner's used-up limit never leaves out another's target.
 */
export const payersOf = (targets: readonly TargetListing[], limit: TargetsLimit, nowMs: number): Payer[] => {
  const payers = new Map<string, { limit: Limit; left: number; targets: TargetListing[] }>();
  const payerOf = (owner: string) => {
    const known = payers.get(owner);
    if (known !== undefined) return known;
    const own = limit.of(owner);
    const payer = { limit: own, left: own.left(nowMs), targets: [] };
    payers.set(owner, payer);
    return payer;
  };
  const free = ({ left, targets: own }: { left: number; targets: readonly unknown[] }): number => left - own.length;
  for (const listing of targets.toSorted((one, other) => one.owners.length - other.owners.length)) {
    const [payer] = listing.owners.map(payerOf).sort((one, other) => free(other) - free(one));
    payer?.targets.push(listing);
  }
  return [...payers.values()].sort((one, other) => other.left - one.left);
};

/** What targets can still use today. */
export const leftToTargets = (targets: readonly TargetListing[], limit: TargetsLimit, nowMs: number): number => {
  const ofOwners = payersOf(targets, limit, nowMs).reduce((sum, payer) => sum + payer.limit.left(nowMs), 0);
  return Math.min(limit.left(nowMs), ofOwners);
};
