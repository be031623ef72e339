/** A place in a thread's queue for something that is no run. It says itself until when it holds: its holder may die. */

const PREFIX = "reserved:";

/** The id of a place that holds until `untilMs`. */
export const reservationId = (untilMs: number, nonce: string): string => `${PREFIX}${untilMs}:${nonce}`;

/** Until when a place holds, in epoch ms; undefined for a run's. */
export const reservationUntilMs = (id: string): number | undefined =>
  id.startsWith(PREFIX) ? Number(id.slice(PREFIX.length).split(":")[0]) : undefined;
