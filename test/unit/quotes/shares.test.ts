/** What targets take of a key that is everybody's: half of its day, and half of that for each owner (decision 0217). */
import { expect, it } from "vitest";
import type { TargetListing } from "../../../src/db/prices/target-listings.ts";
import type { Asker } from "../../../src/quotes/object/ask-source.ts";
import { FRESH_BUDGET } from "../../../src/quotes/object/credits.ts";
import { leavingToTargets } from "../../../src/quotes/object/rounds.ts";
import { payersOf, targetsLimit } from "../../../src/quotes/object/shares.ts";
import { findSource } from "../../../src/quotes/sources/find-source.ts";
import { aListing } from "../../support/a-listing.ts";
import { NO_CLOSES_PACE } from "../../support/no-closes-pace.ts";

/** A Wednesday before New York opens. */
const NOW = Date.parse("2026-11-18T12:00:00Z");

const target = (id: string, ...owners: string[]): TargetListing => ({ ...aListing({ id, symbol: id }), owners });

const several = (count: number, ...owners: string[]): TargetListing[] =>
  Array.from({ length: count }, (_, nth) => target(`${owners.join()}-${nth}`, ...owners));

/** The limit in a day of 800 credits, of which owners have used some already. */
const limitAfter = (used: Readonly<Record<string, number>>) => {
  const known = new Map<string, number>();
  const limit = targetsLimit(800, (name) => ({
    used: () => known.get(name) ?? 0,
    add: (credits) => known.set(name, (known.get(name) ?? 0) + credits),
  }));
  for (const [owner, credits] of Object.entries(used)) limit.of(owner).add(credits, NOW);
  return limit;
};

it("is half of a day for all, and half of that for one", () => {
  const limit = limitAfter({ ann: 150, bob: 200 });
  expect([limit.left(NOW), limit.creditsADay]).toEqual([50, 400]);
  expect(["ann", "bob", "eve"].map((owner) => limit.of(owner).left(NOW))).toEqual([50, 0, 50]);
});

it("is that of whoever has most left, where several have the same listing; they come first", () => {
  const listings = [target("shared", "ann", "bob"), ...several(30, "ann"), ...several(5, "bob")];
  const payers = payersOf(listings, limitAfter({ bob: 10 }), NOW);
  expect(payers.map(({ targets }) => targets.map(({ id }) => id).includes("shared"))).toEqual([false, true]);
  expect(payers.map(({ targets: { length } }) => length)).toEqual([30, 6]);
});

it.each([
  // Two fifths of the day, as with a key of one's own.
  ["nothing of it is used", {}, ["ann", "bob"], 320],
  ["one person has all targets", {}, ["ann"], 200],
  ["some of it is used", { ann: 150, eve: 10 }, ["ann", "bob"], 240],
  ["all of it is used", { ann: 200, bob: 200 }, ["ann", "bob"], 0],
])("keeps no more from those who look than it can still use: %s", (_, used, owners, kept) => {
  const asker: Asker = {
    key: { source: findSource("twelvedata"), access: { key: "k", baseUrl: "" }, scope: "s" },
    budget: { read: () => FRESH_BUDGET, write: () => undefined },
    ...{ nowMs: () => NOW, isCurrent: () => true, closesPace: NO_CLOSES_PACE, targetsLimit: limitAfter(used) },
  };
  const targets = owners.flatMap((owner) => several(500, owner));
  expect(leavingToTargets(asker, targets).keptForOthers).toBe(kept);
});
