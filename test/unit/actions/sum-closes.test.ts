/** What holdings were worth on past days: exact, in one currency, and with a gap where something is not known. */
import { describe, expect, it } from "vitest";
import { chartDays, sumCloses, traded } from "../../../src/actions/prices/value-history.ts";

describe("the days of a chart", () => {
  it("are weekdays, and the last one is the newest close", () => {
    expect(chartDays("2026-11-12", "2026-11-17")).toEqual(["2026-11-12", "2026-11-13", "2026-11-16", "2026-11-17"]);
  });

  it.each([
    ["2025-11-20", "2026-11-20"],
    ["2021-11-20", "2026-11-20"],
    ["1990-01-01", "2026-11-20"],
  ])("are at most 300 from %s to %s, an equal time apart", (from, to) => {
    const days = chartDays(from, to);
    expect(days.length).toBeGreaterThan(200);
    expect(days.length).toBeLessThanOrEqual(300);
    expect(days.at(-1)).toBe(to);
    expect(days[0]?.slice(0, 4)).toBe(from.slice(0, 4));
  });

  it("are none when the first close is after the last", () => {
    expect(chartDays("2026-11-20", "2026-11-19")).toEqual([]);
  });
});

describe("the value on a day", () => {
  const dollars = {
    quantity: "10",
    rate: "1.25",
    closes: [
      ["2026-11-16", "100"],
      ["2026-11-18", "110.5"],
    ],
  } as const;
  const pounds = {
    quantity: "0.5",
    rate: "0.8",
    closes: [
      ["2026-11-16", "8"],
      ["2026-11-17", "16"],
    ],
  } as const;

  it("counts the last close of each, in one currency", () => {
    expect(sumCloses([dollars, pounds], ["2026-11-16", "2026-11-17", "2026-11-18"], "1.25")).toEqual([
      ["2026-11-16", "1006.25"],
      ["2026-11-17", "1012.5"],
      ["2026-11-18", "1117.5"],
    ]);
  });

  it("is not known before the first close of a holding, nor ten days after its last one", () => {
    const late = { ...dollars, closes: [["2026-11-17", "1"]] } as const;
    const days = ["2026-11-16", "2026-11-17", "2026-11-27", "2026-11-28"];
    expect(
      sumCloses(
        [
          late,
          {
            ...dollars,
            closes: [
              ["2026-11-01", "1"],
              ["2026-11-20", "1"],
            ],
          },
        ],
        days,
        "1.25",
      ),
    ).toEqual([["2026-11-27", "20"]]);
  });

  it("of nothing is nothing", () => {
    expect(sumCloses([], ["2026-11-16"], "1")).toEqual([]);
  });
});

it("a listing that is not traded any more is left out", () => {
  const old = { closes: [["2020-01-01", "1"]] } as const;
  const now = { closes: [["2026-11-16", "1"]] } as const;
  expect(traded([old, now])).toEqual([now]);
  expect(traded([])).toEqual([]);
});
