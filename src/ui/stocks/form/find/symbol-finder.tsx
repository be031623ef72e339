/**
 * The symbol of a new stock, as a combobox (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/): it finds listings by name, symbol or
 * ISIN while somebody types. Nothing has to be picked, and nothing waits for the search.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SymbolMatch } from "../../../../contract/prices/find-symbol.ts";
import type { QuotesView } from "../../../../contract/settings/price-settings.ts";
import { fieldSpec } from "../../../../contract/stocks/stock-fields.ts";
import { useQuotes } from "../../../account/settings/use-quotes.ts";
import { formatCount, LOCALE } from "../../../format/format-number.ts";
import { useStocksPlace } from "../../../navigation/stocks-place.ts";
import { Field } from "../../../parts/field.tsx";
import { useOwnId } from "../../../parts/use-own-id.ts";
import { isComposing } from "../../../state/key-events.ts";
import { EMPTY_FORM, type FormValues } from "../form-values.ts";
import { lineExample } from "../quick-add.ts";
import type { StockForm } from "../use-stock-form.ts";
import { MatchList, optionId } from "./match-list.tsx";
import type { Found } from "./symbol-search.ts";
import { type SymbolFinding, useSymbolSearch } from "./use-symbol-search.ts";

/** The fields that a match fills in. What the source does not say stays as it was typed. */
const withMatch = ({ symbol, exchange, name, currency, assetType, isin }: SymbolMatch): Partial<FormValues> => ({
  ...{ symbol, exchange: exchange ?? "", currency, assetType },
  name: name === symbol ? "" : name,
  ...(isin !== null && { isin }),
});

/** What a screen reader is told when something new was found. */
const sayFound = ({ found: { q, matches, problem }, isOpen }: SymbolFinding): string => {
  if (q === "" || (matches.length > 0 && !isOpen)) return "";
  const count = matches.length > 0 ? `${formatCount(matches.length, "match", "matches", "en")}.` : "No matches.";
  return [count, problem].filter(Boolean).join(" ");
};

/** Opens a stock of the list in place of the form. What was typed to find it is not worth keeping. */
const useOpenListed = (form: StockForm): ((id: string) => void) => {
  const { go } = useStocksPlace();
  const [opened, setOpened] = useState<string>();
  // Runs after the form was cleared: a form with input would be offered again.
  useEffect(() => {
    if (opened !== undefined) go({ dialog: "detail", stockId: opened, draft: undefined }, { replace: true });
  }, [opened, go]);
  return (id) => {
    const others = { ...form.values, symbol: "" };
    if (JSON.stringify(others) === JSON.stringify(EMPTY_FORM)) form.set({ symbol: "" });
    setOpened(id);
  };
};

const foundNothing = ({ q, matches, problem }: Found): boolean =>
  q !== "" && matches.length === 0 && problem === undefined;

/**
 * The hint below the field until something is picked. Without a price source, which not everybody can add, only the person's own stocks can
 * be found. `quotes` is undefined while it is not known.
 */
export const hintFor = (found: Found, quotes: QuotesView | undefined): string => {
  if (!foundNothing(found) || quotes === undefined || quotes.hasKey)
    return `Symbol or name, or all in one line: ${lineExample(LOCALE)}`;
  return quotes.isOff || quotes.licence === "display"
    ? "Not in your list. Type the symbol itself."
    : "Not in your list. Type the symbol itself, or add a price source under Account to search by name.";
};

type SymbolFinderProps = { readonly form: StockForm; readonly note: string | undefined; readonly onBlur: () => void };

/** `note` says what a line left out; `onBlur` splits a line into the other fields. */
export const SymbolFinder = ({ form, note, onBlur }: SymbolFinderProps) => {
  const finding = useSymbolSearch(form.values.symbol);
  const { found, isOpen, marked, markedPlace } = finding;
  const [picked, setPicked] = useState<SymbolMatch>();
  const quotes = useQuotes(foundNothing(found));
  const openListed = useOpenListed(form);
  const listId = useOwnId();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const pick = (match: SymbolMatch): void => {
    finding.close();
    if (match.stockId !== null) openListed(match.stockId);
    else {
      form.set(withMatch(match));
      setPicked(match);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isComposing(event) && pressKey(event.key, finding, pick)) event.preventDefault();
  };
  return (
    <div class="find">
      <Field
        label={fieldSpec("symbol").label}
        problem={form.problems.symbol}
        hint={note ?? (picked ? <PickedHint match={picked} /> : hintFor(found, quotes))}
      >
        {(control) => (
          <input
            {...control}
            class="input symbol"
            type="text"
            name="symbol"
            role="combobox"
            aria-expanded={isOpen && found.matches.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={marked && optionId(listId, markedPlace)}
            required
            ref={input}
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellcheck={false}
            value={form.values.symbol}
            onInput={({ currentTarget: { value } }) => {
              form.set({ symbol: value });
              setPicked(undefined);
              finding.type(value);
            }}
            onKeyDown={onKeyDown}
            onBlur={() => {
              finding.close();
              onBlur();
            }}
          />
        )}
      </Field>
      {isOpen && (
        <MatchList id={listId} matches={found.matches} problem={found.problem} marked={markedPlace} onPick={pick} />
      )}
      {/* In the dialog itself: what is behind a modal dialog is not read. */}
      <p class="vh" role="status">
        {picked ? `${picked.name}: symbol, name, market and currency are filled in.` : sayFound(finding)}
      </p>
    </div>
  );
};

/** Shows the picked currency and market, whose fields are in parts of the form that may be closed. */
const PickedHint = ({ match: { name, exchange, currency } }: { readonly match: SymbolMatch }) => (
  <>
    <bdi>{name}</bdi> · {[exchange, currency].filter(Boolean).join(" · ")}
  </>
);

/** True if the key did something. Without a marked match, Enter belongs to the form; without an open list, Escape belongs to the dialog. */
const pressKey = (key: string, finding: SymbolFinding, pick: (match: SymbolMatch) => void): boolean => {
  const { isOpen, found, marked, markedPlace } = finding;
  switch (key) {
    case "ArrowDown":
    case "ArrowUp":
      if (found.matches.length === 0) return false;
      finding.open();
      finding.mark(key === "ArrowDown" ? markedPlace + 1 : markedPlace < 0 ? -1 : markedPlace - 1);
      return true;
    case "Enter":
      if (marked === undefined) return false;
      pick(marked);
      return true;
    case "Escape":
      if (!isOpen) return false;
      finding.close();
      return true;
    default:
      return false;
  }
};
