/** UUIDv7 ids that sort in the order they were made (RFC 9562 §5.7, counter of §6.2 method 1). */

/** Ids of one millisecond; the next one borrows from the following millisecond. */
const MAX_COUNT = 0xfff;

/**
 * Makes a source of lower-case UUIDv7 ids, ascending within the source also inside one millisecond. One per request:
 * a Worker's clock stands still between I/O, so all ids of a request share a millisecond.
 */
export const createIdSource = (nowMs: () => number): (() => string) => {
  let lastMs = 0;
  let count = 0;
  return () => {
    const now = nowMs();
    if (now > lastMs) [lastMs, count] = [now, 0];
    else if (count === MAX_COUNT) [lastMs, count] = [lastMs + 1, 0];
    else count += 1;
    return formatId(lastMs, count, crypto.getRandomValues(new Uint8Array(8)));
  };
};

/** 48 bits of time, version 7, 12 bits of count, variant 10, 62 random bits. */
const formatId = (ms: number, count: number, random: Uint8Array): string => {
  const time = ms.toString(16).padStart(12, "0");
  const tail = [...random].map((byte, place) => (place === 0 ? (byte & 0x3f) | 0x80 : byte));
  const hex = tail.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, "0")}-${hex.slice(0, 4)}-${hex.slice(4)}`;
};
