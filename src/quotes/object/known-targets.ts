/** Targets as they were a moment ago: where the key is everybody's, each of hundreds of looks would read those of all. */
import type { Db } from "../../db/db.ts";
import { type TargetListing, targetListings } from "../../db/prices/target-listings.ts";
import type { Asker } from "./ask-source.ts";
import { roundForTargets } from "./rounds.ts";

/** For how long looks use what was read, in ms. Not every change of targets is told to the object: an undo's is not. */
const KNOWN_MS = 60_000;

/** The targets as of the last round for them, and when the next round is due, as epoch ms. Fresh until then, at most for a minute. */
export type KnownTargets = { readonly targets: readonly TargetListing[]; readonly dueMs: number; isFresh(): boolean };

/** The targets that take prices with the asker's key. */
export const targetsOf = ({ key: { scope, source } }: Asker, db: Db): Promise<TargetListing[]> =>
  targetListings(db, scope, source.id);

/** A round for targets, as they are now. */
export const roundForTargetsNow = async (asker: Asker, db: Db): Promise<KnownTargets> => {
  const targets = await targetsOf(asker, db);
  const dueMs = await roundForTargets(asker, db, targets);
  const untilMs = Math.min(dueMs, Date.now() + KNOWN_MS);
  return { targets, dueMs, isFresh: () => Date.now() < untilMs && asker.isCurrent() };
};
