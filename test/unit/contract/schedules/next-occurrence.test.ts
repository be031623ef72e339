/** When a schedule is due: cron fields, time zones, and both changes of the clock. */
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { leastGapMinutes, parseCron, rangeRemedy } from "../../../../src/contract/schedules/cron.ts";
import { nextOccurrence, parseLocalTime } from "../../../../src/contract/schedules/next-occurrence.ts";
import { instantOf, isTimeZone, wallMs } from "../../../../src/contract/schedules/zone-time.ts";

const at = (text: string): number => Date.parse(text);

/** The next few times, in UTC. */
const following = (cron: string, timeZone: string, after: string, count: number): string[] => {
  const times: string[] = [];
  let last = at(after);
  for (let nth = 0; nth < count; nth += 1) {
    last = nextOccurrence({ cron, timeZone }, last) ?? Number.NaN;
    times.push(new Date(last).toISOString().slice(0, 16));
  }
  return times;
};

describe("a cron expression", () => {
  it.each([
    ["0 8 * * 1", "UTC", "2026-11-23T08:00:00Z", ["2026-11-30T08:00", "2026-12-07T08:00"]],
    ["0 8 * * 1", "UTC", "2026-11-23T07:59:59Z", ["2026-11-23T08:00"]],
    ["0 8 * * 7", "UTC", "2026-11-23T00:00:00Z", ["2026-11-29T08:00"]],
    ["*/20 9-10 * * 1-5", "UTC", "2026-11-20T10:30:00Z", ["2026-11-20T10:40", "2026-11-23T09:00", "2026-11-23T09:20"]],
    ["10/25 0 1 * *", "UTC", "2026-11-23T00:00:00Z", ["2026-12-01T00:10", "2026-12-01T00:35", "2027-01-01T00:10"]],
    [
      "0 0 13 * 5",
      "UTC",
      "2026-11-23T00:00:00Z",
      ["2026-11-27T00:00", "2026-12-04T00:00", "2026-12-11T00:00", "2026-12-13T00:00"],
    ],
    ["0 0 */2 * 5", "UTC", "2026-11-23T00:00:00Z", ["2026-11-27T00:00", "2026-12-11T00:00"]],
    ["0 0 29 2 *", "UTC", "2096-03-01T00:00:00Z", ["2104-02-29T00:00"]],
    ["0 0 */21 11 2", "UTC", "2024-01-01T00:00:00Z", ["2033-11-01T00:00", "2033-11-22T00:00"]],
    ["0 0 29 2 */7", "UTC", "2088-03-01T00:00:00Z", ["2128-02-29T00:00"]],
    ["0 0 31 12 *", "Pacific/Auckland", "2026-11-23T00:00:00Z", ["2026-12-30T11:00"]],
  ])("%s in %s after %s", (cron, timeZone, after, times) => {
    expect(following(cron, timeZone, after, times.length)).toEqual(times);
  });

  it("that never comes has no next time", () => {
    expect(nextOccurrence({ cron: "0 0 30 2 *", timeZone: "UTC" }, at("2026-11-23T00:00:00Z"))).toBeUndefined();
  });

  it.each([
    "",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * * 13 *",
    "* * * * 8",
    "5-1 * * * *",
  ])("is refused: %j", (text) => {
    expect(parseCron(text)).toBeUndefined();
  });

  it.each([
    ["0 8 99 * *", "use 1 to 31 for the day of the month"],
    ["0 8 1 0-3 *", "use 1 to 12 for the month"],
    ["0 8 * * 1,8", "use 0 to 7 for the day of the week"],
    ["0 100 * * *", "use 0 to 23 for the hour"],
    ["60/5 30 * * *", "use 0 to 59 for the minute"],
    ["0 8 * * MON", undefined],
    ["5-1 * * * *", undefined],
    ["99 * * *", undefined],
  ])("says of %j which part is out of range", (text, remedy) => {
    expect(rangeRemedy(text)).toBe(remedy);
  });

  it.each([
    "*/0 * * * *",
    "@daily",
    "0 8 * * MON",
    "1,,2 * * * *",
    "L * * * *",
    "1.5 * * * *",
    "-1 * * * *",
    "1-2-3 * * * *",
  ])("is refused: %j", (text) => {
    expect(parseCron(text)).toBeUndefined();
  });

  it.each([
    ["*/15 * * * *", 15],
    ["*/14 * * * *", 4],
    ["0,50 * * * *", 10],
    ["50 23 * * *", 1_440],
    ["0,50 0,23 * * *", 10],
    ["0 8,20 * * *", 720],
  ])("%s comes every %i minutes at the most often", (text, minutes) => {
    const fields = parseCron(text);
    expect(fields && leastGapMinutes(fields)).toBe(minutes);
  });
});

describe("the change of the clock", () => {
  it.each([
    // 02:00 is followed by 03:00 on 2027-03-14: what is between is due at 03:00, once.
    ["30 2 * * *", "America/New_York", "2027-03-13T12:00:00Z", ["2027-03-14T07:00", "2027-03-15T06:30"]],
    ["*/15 2,3 * * *", "America/New_York", "2027-03-14T05:00:00Z", ["2027-03-14T07:00", "2027-03-14T07:15"]],
    // 02:00 is followed by 01:00 on 2026-11-01: 01:00 to 01:59 are due the first time alone.
    ["30 1 * * *", "America/New_York", "2026-11-01T04:00:00Z", ["2026-11-01T05:30", "2026-11-02T06:30"]],
    ["*/30 * * * *", "America/New_York", "2026-11-01T05:00:00Z", ["2026-11-01T05:30", "2026-11-01T07:00"]],
    // Half an hour on Lord Howe, at midnight in Beirut, a whole day in Samoa.
    ["15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", ["2026-10-03T15:30", "2026-10-04T15:15"]],
    ["10 0 * * *", "Asia/Beirut", "2027-03-27T12:00:00Z", ["2027-03-27T22:00", "2027-03-28T21:10"]],
    [
      "0 12 * * *",
      "Pacific/Apia",
      "2011-12-29T12:00:00Z",
      ["2011-12-29T22:00", "2011-12-30T10:00", "2011-12-30T22:00"],
    ],
  ])("%s in %s after %s", (cron, timeZone, after, times) => {
    expect(following(cron, timeZone, after, times.length)).toEqual(times);
  });

  it.each([
    ["2027-03-14T02:30", "America/New_York", "2027-03-14T07:00:00.000Z"],
    ["2026-11-01T01:30", "America/New_York", "2026-11-01T05:30:00.000Z"],
    ["2026-12-24T18:00", "Europe/Berlin", "2026-12-24T17:00:00.000Z"],
  ])("once at %s in %s", (once, timeZone, expected) => {
    const next = nextOccurrence({ once, timeZone }, at("2026-10-01T00:00:00Z"));
    expect(next && new Date(next).toISOString()).toBe(expected);
    expect(nextOccurrence({ once, timeZone }, at(expected))).toBeUndefined();
  });
});

it.each(["2026-02-30T10:00", "2026-11-23T24:00", "2026-11-23", "2026-11-23T10:00Z", "2026-1-1T10:00", "once"])(
  "%j is no local time",
  (text) => {
    expect(parseLocalTime(text)).toBeUndefined();
  },
);

it("a time zone has a name", () => {
  const names = ["Europe/Berlin", "UTC", "Etc/GMT+5", "America/Argentina/Buenos_Aires"];
  expect(names.filter(isTimeZone)).toEqual(names);
  expect(["+02:00", "Mars/Olympus", "", "Europe/", "../etc", "x".repeat(100)].filter(isTimeZone)).toEqual([]);
});

describe("whatever the zone and the expression", () => {
  const ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Africa/Casablanca",
  ];
  const zone = fc.constantFrom(...ZONES, "America/St_Johns", "Pacific/Chatham", "Asia/Tehran", "Africa/Cairo");
  const instant = fc.integer({ min: at("2024-01-01T00:00:00Z"), max: at("2035-01-01T00:00:00Z") });
  const field = (min: number, max: number) =>
    fc.oneof(
      fc.constant("*"),
      fc.integer({ min, max }).map(String),
      fc.integer({ min: 1, max: max - min }).map((step) => `*/${step}`),
    );
  const cron = fc
    .tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6))
    .map((all) => all.join(" "));

  it("the next time is later, and there is none between", () => {
    fc.assert(
      fc.property(cron, zone, instant, fc.double({ min: 0, max: 1, noNaN: true }), (text, timeZone, after, share) => {
        const next = nextOccurrence({ cron: text, timeZone }, after);
        if (next === undefined) throw new Error(`${text} has no next time.`);
        expect(next).toBeGreaterThan(after);
        const between = after + Math.floor((next - 1 - after) * share);
        expect(nextOccurrence({ cron: text, timeZone }, between)).toBe(next);
      }),
    );
  });

  it("the clock shows a minute of the expression, or has skipped one", () => {
    fc.assert(
      fc.property(cron, zone, instant, (text, timeZone, after) => {
        const next = nextOccurrence({ cron: text, timeZone }, after) ?? Number.NaN;
        const wall = wallMs(timeZone, next);
        const before = wallMs(timeZone, next - 1_000);
        const hasSkipped = wall - before > 1_000;
        const minute = (wall % 86_400_000) / 60_000;
        expect(hasSkipped || parseCron(text)?.minutesOfDay.includes(minute)).toBe(true);
      }),
    );
  });

  it("an instant is found by what the clock shows then, or the first of two", () => {
    fc.assert(
      fc.property(zone, instant, (timeZone, ms) => {
        const whole = Math.floor(ms / 60_000) * 60_000;
        const found = instantOf(timeZone, wallMs(timeZone, whole));
        expect(wallMs(timeZone, found)).toBe(wallMs(timeZone, whole));
        expect(found).toBeLessThanOrEqual(whole);
      }),
    );
  });
});

it("a zone costs no more memory for being spelled in many ways", () => {
  const made = vi.spyOn(Intl, "DateTimeFormat");
  onTestFinished(() => void made.mockRestore());
  for (const name of ["Europe/Vilnius", "europe/vilnius", "EUROPE/Vilnius", "eUrOpE/vIlNiUs"])
    expect(isTimeZone(name)).toBe(true);
  expect(made).toHaveBeenCalledTimes(1);
});
