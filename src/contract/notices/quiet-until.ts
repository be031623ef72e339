/** When quiet hours are over. */
import { DAY_MS } from "../day.ts";
import { instantOf, wallMs } from "../schedules/zone-time.ts";
import type { QuietHours } from "./notice.ts";

const MINUTE_MS = 60_000;

/** The end of the quiet hours, in epoch ms; undefined for an instant outside them. They end by the clock on the wall. */
export const quietUntil = ({ from, to, timeZone }: QuietHours, nowMs: number): number | undefined => {
  const wall = wallMs(timeZone, nowMs);
  const day = Math.floor(wall / DAY_MS) * DAY_MS;
  const [start, end] = [day + msOf(from), day + msOf(to)];
  // In the night in which the clock goes back, it may show their end a second time.
  const endAt = (local: number): number => {
    const endMs = instantOf(timeZone, local);
    return endMs > nowMs ? endMs : nowMs + local - wall;
  };
  if (start < end) return wall >= start && wall < end ? endAt(end) : undefined;
  if (wall < end) return endAt(end);
  return wall >= start ? endAt(end + DAY_MS) : undefined;
};

const msOf = (time: string): number => {
  const [hours, minutes] = time.split(":").map(Number);
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * MINUTE_MS;
};
