/** The search behind the symbol field: what was found, and which of it is marked. */
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { actionPath } from "../../../../contract/action-path.ts";
import type { FindSymbolOutput, SymbolMatch } from "../../../../contract/prices/find-symbol.ts";
import { requestJson } from "../../../api/request-json.ts";
import { createStore } from "../../../state/store.ts";
import { type Found, makeSymbolSearch, NOTHING_FOUND } from "./symbol-search.ts";

/** Whether a price source has answered a search. If so, added stocks get their prices automatically. */
export const sourceSeen = createStore(false);

/** Uses POST, so that a search is never part of an address. */
const askServer = async (q: string): Promise<FindSymbolOutput> => {
  const answer = await requestJson<FindSymbolOutput>(actionPath("find-symbol"), { method: "POST", body: { q } });
  if (answer.matches.some(({ source }) => source !== "list")) sourceSeen.set(true);
  return answer;
};

const later = (run: () => void, ms: number): (() => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** `marked` is the match that Enter picks. `close` hides what was found until something else is typed. */
export type SymbolFinding = {
  readonly found: Found;
  readonly isOpen: boolean;
  readonly marked: SymbolMatch | undefined;
  readonly markedPlace: number;
  readonly type: (text: string) => void;
  readonly mark: (place: number) => void;
  readonly open: () => void;
  readonly close: () => void;
};

/** Follows what is typed. `start` is searched for at once. */
export const useSymbolSearch = (start: string): SymbolFinding => {
  const [found, setFound] = useState(NOTHING_FOUND);
  const [isShown, setShown] = useState(false);
  const [place, setPlace] = useState(-1);
  const search = useMemo(() => {
    const show = (next: Found): void => {
      setFound(next);
      setPlace(-1);
      setShown(true);
    };
    return makeSymbolSearch({ ask: askServer, later, show });
  }, []);
  // Runs before anything can be typed: a later effect would undo what was typed.
  useLayoutEffect(() => {
    search.type(start);
    return search.stop;
  }, [search]);
  const isOpen = isShown && found.q !== "" && (found.matches.length > 0 || found.problem !== undefined);
  const count = found.matches.length;
  return {
    found,
    isOpen,
    marked: isOpen ? found.matches[place] : undefined,
    markedPlace: place,
    type: search.type,
    // Wraps around: above the first match is the last.
    mark: (next) => setPlace(count === 0 ? -1 : (next + count) % count),
    open: () => setShown(true),
    close: () => {
      search.stop();
      setShown(false);
      setPlace(-1);
    },
  };
};
