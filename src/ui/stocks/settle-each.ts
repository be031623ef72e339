/** The same write for many things, a few at a time, where one failure does not stop the others. */

/** Requests at once: a browser opens six connections to a server, and the page needs one itself. */
const AT_ONCE = 4;

/** What failed, in the order of the input; empty when all went well. */
export type Failure<Item> = { readonly item: Item; readonly error: unknown };

/** Does `work` for every item. Never rejects. */
export const settleEach = async <Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<readonly Failure<Item>[]> => {
  const failures: (Failure<Item> & { readonly place: number })[] = [];
  const rest = items.entries();
  const takeAll = async (): Promise<void> => {
    // One iterator for all lanes: each takes the next item that nobody has taken yet.
    for (const [place, item] of rest) {
      await work(item).catch((error: unknown) => failures.push({ item, error, place }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, takeAll));
  return failures.sort((a, b) => a.place - b.place).map(({ item, error }) => ({ item, error }));
};
