/**
 * Decides what happens while somebody types a name: a pause before the source is asked, one request at a time, and no answers to old words.
 */
import type { FindSymbolOutput, SymbolMatch } from "../../../../contract/prices/find-symbol.ts";
import { type PriceRefusal, REFUSALS } from "../../../format/price-refusals.ts";

/** How long nobody types before the source is asked, in ms: each question costs a credit of the key. */
export const PAUSE_MS = 300;

/** The fewest letters that are searched for. */
const MIN_LETTERS = 2;

/** A word of digits, or a mark of a quick-add line: either shows that the text is not a name. */
const LINE = /[@#]|\s[\d.,]+(\s|$)/;

/** Most characters that are searched for (api.md §8). */
const MAX_LETTERS = 100;

/** What to search for; "" if the text is not a name. */
export const queryOf = (text: string): string => {
  const q = text.trim().replace(/\s+/g, " ");
  return q.length < MIN_LETTERS || q.length > MAX_LETTERS || LINE.test(q) ? "" : q;
};

/** What is shown. `q` is the text that the matches are for; "" without a search. `problem` says why the source gave no matches. */
export type Found = {
  readonly q: string;
  readonly matches: readonly SymbolMatch[];
  readonly problem: string | undefined;
};

/** The state without a search. */
export const NOTHING_FOUND: Found = { q: "", matches: [], problem: undefined };

/** The sentence for a search without an answer. `why` is the server's word, or an error's sentence. */
export const sayUnavailable = (why: PriceRefusal | Error): string =>
  `Search is not available: ${why instanceof Error ? why.message.replace(/\.$/, "") : REFUSALS[why]}. You can still type any symbol.`;

type SearchWorld = {
  readonly ask: (q: string) => Promise<FindSymbolOutput>;
  /** Runs something later. The returned function cancels it. */
  readonly later: (run: () => void, ms: number) => () => void;
  readonly show: (found: Found) => void;
};

/** A search that follows what is typed. */
export type SymbolSearch = {
  readonly type: (text: string) => void;
  /** Forgets what was typed: an answer that arrives later is not shown. */
  readonly stop: () => void;
};

/** Makes a search. `show` is called with each new state, but never with an answer to words that have changed since. */
export const makeSymbolSearch = ({ ask, later, show }: SearchWorld): SymbolSearch => {
  let wanted = "";
  let isAsking = false;
  let takeBack: (() => void) | undefined;

  const send = async (): Promise<void> => {
    takeBack = undefined;
    if (isAsking || wanted === "") return;
    isAsking = true;
    const q = wanted;
    const found = await ask(q).then(
      ({ matches, unavailable }) => ({ q, matches, problem: unavailable && sayUnavailable(unavailable) }),
      (error: unknown) => ({ q, matches: [], problem: sayUnavailable(error instanceof Error ? error : "down") }),
    );
    isAsking = false;
    if (q === wanted) show(found);
    // The words have changed, and their pause is over already.
    else if (takeBack === undefined) void send();
  };

  const stop = (): void => {
    takeBack?.();
    takeBack = undefined;
    wanted = "";
  };
  return {
    stop,
    type: (text) => {
      const q = queryOf(text);
      if (q === wanted) return;
      stop();
      wanted = q;
      if (q === "") show(NOTHING_FOUND);
      else takeBack = later(() => void send(), PAUSE_MS);
    },
  };
};
