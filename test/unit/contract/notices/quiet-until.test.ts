/** Quiet hours by the clock on the wall, through both nights in which it is changed. */
import { expect, it } from "vitest";
import { quietUntil } from "../../../../src/contract/notices/quiet-until.ts";

const until = (from: string, to: string, timeZone: string, now: string): string | undefined => {
  const untilMs = quietUntil({ from, to, timeZone }, Date.parse(now));
  return untilMs === undefined ? undefined : new Date(untilMs).toISOString().slice(0, 16);
};

it.each([
  ["22:00", "07:00", "2026-11-23T20:59Z", undefined],
  ["22:00", "07:00", "2026-11-23T21:00Z", "2026-11-24T06:00"],
  ["22:00", "07:00", "2026-11-24T05:59Z", "2026-11-24T06:00"],
  ["22:00", "07:00", "2026-11-24T06:00Z", undefined],
  ["12:00", "13:30", "2026-11-24T11:30Z", "2026-11-24T12:30"],
  ["12:00", "13:30", "2026-11-24T12:30Z", undefined],
  // The night in which Berlin's clock goes from 02:00 to 03:00.
  ["22:00", "07:00", "2027-03-27T22:30Z", "2027-03-28T05:00"],
  ["22:00", "02:30", "2027-03-28T00:30Z", "2027-03-28T01:00"],
  ["22:00", "02:30", "2027-03-28T01:00Z", undefined],
  ["02:30", "07:00", "2027-03-28T01:00Z", "2027-03-28T05:00"],
  // The one in which it goes from 03:00 back to 02:00: 02:30 comes twice, and the quiet hours last to the second.
  ["22:00", "07:00", "2026-10-24T21:00Z", "2026-10-25T06:00"],
  ["22:00", "02:30", "2026-10-25T00:10Z", "2026-10-25T00:30"],
  ["22:00", "02:30", "2026-10-25T00:40Z", undefined],
  ["22:00", "02:30", "2026-10-25T01:10Z", "2026-10-25T01:30"],
] as const)("from %s to %s, at %s", (from, to, now, end) => {
  expect(until(from, to, "Europe/Berlin", now)).toBe(end);
});
