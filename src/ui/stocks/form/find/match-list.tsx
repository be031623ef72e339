/** What a search found, as the list of a combobox. Its symbols and names come from outside. */
import type { SymbolMatch } from "../../../../contract/prices/find-symbol.ts";
import { Badge } from "../../../parts/badge.tsx";
import { adoptStyles } from "../../../parts/late-styles.ts";

const STYLES = `
.find { position: relative; }
.find-list { position: absolute; z-index: 5; inset-block-start: 100%; inset-inline: 0; margin-top: 4px; padding: 5px;
  border: 1px solid var(--line); border-radius: var(--r); background: var(--raised); box-shadow: var(--shadow-high); }
.find-list > div { max-height: min(300px, 42dvh); overflow: auto; overscroll-behavior: contain; }
.find-list > div > div { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 8px; min-height: 44px; padding: 5px 10px;
  border-radius: var(--r-s); cursor: pointer; overflow-wrap: anywhere; }
.find-list > div > div:hover { background: var(--sunken); }
.find-list > div > div[aria-selected="true"] { background: var(--accent-soft); outline: 2px solid var(--accent); outline-offset: -2px; }
.find-list > div > div > span:first-of-type { flex: 1 1 120px; min-width: 0; }
.find-list p { padding: 8px 10px; color: var(--muted); font-size: 13.5px; }
`;

/** The id of an option: what `aria-activedescendant` names. */
export const optionId = (listId: string, place: number): string => `${listId}-${place}`;

type MatchListProps = {
  readonly id: string;
  readonly matches: readonly SymbolMatch[];
  readonly problem: string | undefined;
  readonly marked: number;
  readonly onPick: (match: SymbolMatch) => void;
};

/** Keeps the focus in the field, which says what option is marked. Options are never focused. */
export const MatchList = ({ id, matches, problem, marked, onPick }: MatchListProps) => {
  adoptStyles(STYLES);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press keeps the focus where it is, and does nothing else.
    <div class="find-list" onMouseDown={(event) => event.preventDefault()}>
      <div id={id} role="listbox" aria-label="Matching stocks" hidden={matches.length === 0}>
        {matches.map((match, place) => (
          <Option
            key={`${match.source} ${match.symbol} ${match.exchange} ${match.currency}`}
            id={optionId(id, place)}
            match={match}
            isMarked={place === marked}
            onPick={onPick}
          />
        ))}
      </div>
      {problem && <p>{problem}</p>}
    </div>
  );
};

type OptionProps = {
  readonly id: string;
  readonly match: SymbolMatch;
  readonly isMarked: boolean;
  readonly onPick: (match: SymbolMatch) => void;
};

const Option = ({ id, match, isMarked, onPick }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which has the focus.
  // biome-ignore lint/a11y/useFocusableInteractive: so is the focus.
  <div
    id={id}
    role="option"
    aria-selected={isMarked}
    ref={(element) => {
      if (isMarked) element?.scrollIntoView({ block: "nearest" });
    }}
    onClick={() => onPick(match)}
  >
    <b>{match.symbol}</b> <span>{match.name !== match.symbol && <bdi>{match.name}</bdi>}</span>{" "}
    <span class="muted">{[match.exchange, match.currency].filter(Boolean).join(" · ")}</span>{" "}
    {match.stockId !== null && <Badge>in your list</Badge>}{" "}
    {!match.inPlan && <Badge tone="warn">not in the plan</Badge>}
  </div>
);
