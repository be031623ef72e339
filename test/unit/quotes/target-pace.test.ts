/** How often the prices of targets are asked for while nobody looks: within the key's day, spread over what their markets trade. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ListingRow } from "../../../src/db/prices/instruments.ts";
import { dueAt, dueListings } from "../../../src/quotes/object/due.ts";
import { keptForCloses, keptForTargets, nextNewsAt, targetsPace } from "../../../src/quotes/object/target-pace.ts";
import { clockAt, marketMoment, sessionsBetween } from "../../../src/quotes/rules/market-clock.ts";
import { markOf } from "../../../src/quotes/rules/price-state.ts";
import { aListing } from "../../support/a-listing.ts";

const SEED = 20_261_122;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A Wednesday, and a Thursday's night before it begins anywhere: closes of Tuesday are known. */
const WEDNESDAY = Date.parse("2026-11-18T00:00:00Z");
const BEFORE = WEDNESDAY - HOUR;

const ms = (text: string) => Date.parse(text);

const listing = (mic: string | null, more: Partial<ListingRow> = {}): ListingRow =>
  aListing({
    ...{ mic, askedAtMs: BEFORE },
    mark: JSON.stringify(
      markOf({ asOfKind: "trade", isMarketOpen: null }, BEFORE, false, (at) => marketMoment(mic, at)),
    ),
    ...more,
  });

const several = (count: number, mic: string | null): ListingRow[] =>
  Array.from({ length: count }, (_, nth) => listing(mic, { id: `${mic}-${nth}` }));

describe("sessions", () => {
  it.each([
    ["XNAS", "2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z", [["2026-11-18T14:30:00Z", "2026-11-18T21:00:00Z"]]],
    ["XNAS", "2026-11-20T22:00:00Z", "2026-11-23T14:00:00Z", []],
    // The clocks change on 1 November.
    ["XNYS", "2026-10-30T00:00:00Z", "2026-10-31T00:00:00Z", [["2026-10-30T13:30:00Z", "2026-10-30T20:00:00Z"]]],
    [
      "XASX",
      "2026-11-18T00:00:00Z",
      "2026-11-18T23:30:00Z",
      [
        ["2026-11-17T23:00:00Z", "2026-11-18T05:00:00Z"],
        ["2026-11-18T23:00:00Z", "2026-11-19T05:00:00Z"],
      ],
    ],
    [null, "2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z", [["2026-11-18T23:59:00Z", "2026-11-18T23:59:00Z"]]],
  ])("of %s from %s to %s", (mic, from, to, expected) => {
    expect(sessionsBetween(mic, ms(from), ms(to))).toEqual(
      expected.map(([open = "", close = ""]) => ({ openMs: ms(open), closeMs: ms(close) })),
    );
  });
});

it("a fifth of a day's credits that is no whole number is kept as the next one", () => {
  const credits = { leftOfDay: 7, creditsADay: 7, tradingPauseMs: 15 * MINUTE };
  expect(keptForCloses(several(1, "XNAS"), credits)).toBe(2);
});

it("a price that is held is asked for every ten minutes for an hour, then every hour, but not while its market is closed", () => {
  const pace = { isShort: false, pauseMs: 15 * MINUTE, againMs: HOUR };
  const dueAfter = (heldFor: number, asked: string): number => {
    const pending = JSON.stringify({ price: "38", sinceMs: ms(asked) - heldFor });
    return dueAt(listing("XNAS", { askedAtMs: ms(asked), pending }), clockAt(ms(asked)), pace) - ms(asked);
  };
  expect(dueAfter(0, "2026-11-18T15:00:00Z")).toBe(10 * MINUTE);
  expect(dueAfter(2 * HOUR, "2026-11-18T18:00:00Z")).toBe(HOUR);
  expect(dueAfter(0, "2026-11-18T22:00:00Z")).toBe(10 * MINUTE);
  expect(dueAfter(2 * HOUR, "2026-11-18T23:00:00Z")).toBe(Number.POSITIVE_INFINITY);
});

describe("the pace of targets", () => {
  const free = { leftOfDay: 800, creditsADay: 800, tradingPauseMs: 15 * MINUTE };

  it("is the usual one where the credits allow that", () => {
    expect(targetsPace(several(20, "XNAS"), free, WEDNESDAY)).toMatchObject({ isShort: false, pauseMs: 15 * MINUTE });
  });

  it("is slower for many, by what is left and what their markets still trade", () => {
    // 60 times 390 minutes by the 640 credits above the fifth that is kept for closes.
    const { pauseMs } = targetsPace(several(60, "XNAS"), free, WEDNESDAY);
    expect(Math.round(pauseMs / MINUTE)).toBe(37);
    const later = targetsPace(several(60, "XNAS"), { ...free, leftOfDay: 480 }, ms("2026-11-18T17:45:00Z"));
    expect(Math.round(later.pauseMs / MINUTE)).toBe(37);
  });

  it("is short below a fifth of the day, and where there are more of them than credits", () => {
    expect(targetsPace(several(1, "XNAS"), { ...free, leftOfDay: 160 }, WEDNESDAY).isShort).toBe(true);
    expect(targetsPace(several(25, "XNAS"), { ...free, leftOfDay: 20, creditsADay: 20 }, WEDNESDAY).isShort).toBe(true);
  });

  it("keeps from those who look what it needs, and two fifths of the day at most", () => {
    // 26 quarters of an hour, and the close.
    expect(keptForTargets(several(1, "XNAS"), free, WEDNESDAY)).toBe(27);
    expect(keptForTargets(several(60, "XNAS"), free, WEDNESDAY)).toBe(320);
    expect(keptForTargets(several(1, "XNAS"), free, ms("2026-11-18T21:00:00Z"))).toBe(1);
    expect(keptForTargets([], free, WEDNESDAY)).toBe(0);
  });

  it.each([
    ["XNAS", "2026-11-18T10:00:00Z", "2026-11-18T14:30:00Z"],
    ["XNAS", "2026-11-18T15:00:00Z", "2026-11-18T21:40:00Z"],
    ["XNAS", "2026-11-18T21:10:00Z", "2026-11-18T21:40:00Z"],
    ["XNAS", "2026-11-20T21:40:00Z", "2026-11-23T14:30:00Z"],
  ])("goes on when there is something new of %s: after %s at %s", (mic, now, next) => {
    expect(nextNewsAt([listing(mic)], ms(now))).toBe(ms(next));
  });
});

describe("a day of requests for targets", () => {
  type Budget = { readonly creditsADay: number; readonly creditsAMinute: number };

  /** Asks for what is due, minute by minute, as the object does. The times each was asked at. */
  const playDay = (targets: readonly ListingRow[], { creditsADay, creditsAMinute }: Budget) => {
    let rows = [...targets];
    let leftOfDay = creditsADay;
    const asked = new Map<string, number[]>(rows.map(({ id }) => [id, []]));
    for (let nowMs = WEDNESDAY; nowMs < WEDNESDAY + 24 * HOUR; nowMs += MINUTE) {
      const credits = { leftOfDay, creditsADay, tradingPauseMs: 15 * MINUTE };
      const pace = targetsPace(rows, credits, nowMs);
      const clock = clockAt(nowMs);
      const isTrading = ({ mic }: ListingRow) => clock(mic).isTrading;
      const all = dueListings(rows, clock, nowMs, () => pace);
      // While markets trade the credits of closes are kept.
      const early = all.filter(isTrading).slice(0, Math.max(0, leftOfDay - keptForCloses(rows, credits)));
      const due = [...all.filter((row) => !isTrading(row)), ...early].slice(0, Math.min(creditsAMinute, leftOfDay));
      leftOfDay -= due.length;
      for (const { id } of due) asked.get(id)?.push(nowMs);
      const isAsked = new Set(due);
      rows = rows.map((row) => {
        if (!isAsked.has(row)) return row;
        const quote = { asOfKind: "trade", isMarketOpen: null } as const;
        const mark = markOf(quote, nowMs, false, (at) => marketMoment(row.mic, at));
        return { ...row, askedAtMs: nowMs, mark: JSON.stringify(mark) };
      });
    }
    return { asked, leftOfDay };
  };

  it("takes each of a few every quarter of an hour while their market trades, and once after its close", () => {
    const { asked } = playDay(several(2, "XNAS"), { creditsADay: 800, creditsAMinute: 8 });
    for (const times of asked.values()) {
      expect(times).toHaveLength(27);
      expect(times[0]).toBe(ms("2026-11-18T14:30:00Z"));
      expect(times.at(-1)).toBe(ms("2026-11-18T21:40:00Z"));
    }
  });

  it("takes five of twenty credits three times over the session, and once after the close", () => {
    const { asked } = playDay(several(5, "XNAS"), { creditsADay: 20, creditsAMinute: 1_000 });
    for (const times of asked.values()) {
      expect(times.length).toBeGreaterThanOrEqual(3);
      expect(times.at(-1)).toBe(ms("2026-11-18T21:40:00Z"));
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(90 * MINUTE);
    }
  });

  it("never takes more than the key has, nor one more often than every quarter of an hour; and each its close, if there is one for each", () => {
    const budget = fc.constantFrom(
      { creditsADay: 800, creditsAMinute: 8 },
      { creditsADay: 20, creditsAMinute: 1_000 },
      { creditsADay: 100, creditsAMinute: 5 },
    );
    const markets = fc.dictionary(fc.constantFrom("XNAS", "XLON", "XTKS", "XETR"), fc.integer({ min: 1, max: 40 }), {
      minKeys: 1,
    });
    fc.assert(
      fc.property(markets, budget, (counts, given) => {
        const targets = Object.entries(counts).flatMap(([mic, count]) => several(count, mic));
        const { asked, leftOfDay } = playDay(targets, given);
        expect(leftOfDay).toBeGreaterThanOrEqual(0);
        for (const times of asked.values()) {
          const gaps = times.slice(1).map((at, nth) => at - (times[nth] ?? 0));
          expect(Math.min(...gaps, HOUR)).toBeGreaterThanOrEqual(15 * MINUTE);
        }
        if (targets.length > given.creditsADay) return;
        const lastClose = Math.min(
          ...targets.map(({ mic }) => sessionsBetween(mic, WEDNESDAY, WEDNESDAY + 24 * HOUR)[0]?.closeMs ?? 0),
        );
        for (const times of asked.values()) expect(times.at(-1)).toBeGreaterThan(lastClose);
      }),
      { numRuns: 10, seed: SEED },
    );
  }, 60_000);
});
