/** Does the same thing many times, a few at once. */

/** Results in order. `work` gets the index, from 0. @throws what the first one throws that fails. */
export const inTurns = async <Result>(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results = new Map<number, Result>();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      results.set(index, await work(index));
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, lane));
  return Array.from({ length: count }, (_, index) => results.get(index)).filter((result) => result !== undefined);
};
