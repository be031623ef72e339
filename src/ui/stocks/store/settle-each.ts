/** Many writes, a few at a time, no faster than the server takes them. */
import { ApiError } from "../../api/api-error.ts";
import { showToast } from "../../parts/toasts.tsx";

/** Requests at once: a browser opens six connections to a server, and the page needs some itself. */
const AT_ONCE = 4;

/** Longest wait that the server may ask for, in s, enough for its limits of a minute. A longer one is reported as a failure. */
const LONGEST_WAIT_S = 120;

/** How often one item waits and is tried again, as when the person's other tabs use up the limit. */
const MAX_WAITS = 5;

export type Failure<Item> = { readonly item: Item; readonly error: unknown };

/**
 * Does `work` for every item, a few at a time; one failure does not stop the others. If the server asks to wait, all of them wait, then go
 * on. Resolves to the failures in the order of the items, and never rejects.
 */
export const settleEach = async <Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<readonly Failure<Item>[]> => {
  const failures: (Failure<Item> & { readonly index: number })[] = [];
  const rest = items.entries();
  let pause: Promise<void> | undefined;
  const waitFor = async (seconds: number): Promise<void> => {
    const close = showToast({
      text: "These are many changes at once: the rest follows in a minute. Keep this page open.",
      tone: "lasting",
    });
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    close();
    pause = undefined;
  };
  const takeOne = async (item: Item): Promise<void> => {
    for (let waits = 0; ; waits += 1) {
      await pause;
      try {
        await work(item);
        return;
      } catch (error) {
        const seconds = waits < MAX_WAITS ? askedWaitS(error) : undefined;
        if (seconds === undefined) throw error;
        pause ??= waitFor(seconds);
      }
    }
  };
  const takeAll = async (): Promise<void> => {
    // All lanes share one iterator, so each takes the next item that is left.
    for (const [index, item] of rest) {
      await takeOne(item).catch((error: unknown) => failures.push({ item, error, index }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, takeAll));
  return failures.sort((a, b) => a.index - b.index).map(({ item, error }) => ({ item, error }));
};

/** How long the server asks to wait, in s; undefined if it refused for another reason, or if that is too long to wait. */
const askedWaitS = (error: unknown): number | undefined =>
  error instanceof ApiError && error.status === 429 && (error.retryAfterSeconds ?? Infinity) <= LONGEST_WAIT_S
    ? error.retryAfterSeconds
    : undefined;
