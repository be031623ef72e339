/** Chance that is the same for the same seed: a case that fails can be run again. */

/** A small generator of equal numbers for equal seeds (mulberry32), in [0, 1). */
export const randomOf = (seed: number): (() => number) => {
  let state = seed + 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
