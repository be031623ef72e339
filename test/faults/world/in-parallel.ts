/** Works on a list, several items at once, and yields results as they arrive. */

/** Results in the order in which they are ready; `work` must not reject. */
export async function* inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting = [...items];
  const running = new Map<number, Promise<{ readonly ticket: number; readonly result: Result }>>();
  let ticket = 0;
  for (;;) {
    while (running.size < atOnce) {
      const item = waiting.shift();
      if (item === undefined) break;
      const own = ticket;
      ticket += 1;
      running.set(
        own,
        work(item).then((result) => ({ ticket: own, result })),
      );
    }
    if (running.size === 0) return;
    const done = await Promise.race(running.values());
    running.delete(done.ticket);
    yield done.result;
  }
}
