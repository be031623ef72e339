/** The controls of the symbol, which also takes a whole stock on one line, and of the currency. */
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { offeredCurrencies } from "../../../contract/stocks/currency-codes.ts";
import { majorCurrency } from "../../../contract/stocks/major-currency.ts";
import { fieldSpec } from "../../../contract/stocks/stock-fields.ts";
import { symbolText } from "../../../contract/stocks/symbol-shape.ts";
import { LOCALE } from "../../format/format-number.ts";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";
import { useStockList } from "../store/use-stock-list.ts";
import { SymbolFinder } from "./find/symbol-finder.tsx";
import type { FormValues } from "./form-values.ts";
import { expandLine } from "./quick-add.ts";
import type { StockForm } from "./use-stock-form.ts";

/**
 * Does something at once, or, while a button is being pressed, after that press: a button that moves away from under the mouse would not be
 * pressed. `:active` would not do, because Firefox sets it after the blur that a press causes.
 */
const useAfterPress = (): ((act: () => void) => void) => {
  const isPressed = useRef(false);
  useLayoutEffect(() => {
    const onDown = ({ target }: MouseEvent): void => {
      isPressed.current = target instanceof Element && target.closest("button, summary") !== null;
    };
    const onUp = (): void => {
      isPressed.current = false;
    };
    document.addEventListener("mousedown", onDown, true);
    document.addEventListener("mouseup", onUp, true);
    return () => {
      document.removeEventListener("mousedown", onDown, true);
      document.removeEventListener("mouseup", onUp, true);
    };
  }, []);
  return (act) => {
    if (!isPressed.current) return act();
    // The click follows in the same task.
    document.addEventListener("mouseup", () => setTimeout(act), { once: true, capture: true });
  };
};

type SymbolFieldProps = { readonly form: StockForm; readonly isNew: boolean };

/**
 * Splits a line into the other fields on blur, so that the person sees the result before it is saved. A form for a new stock also
 * does this when its button is pressed.
 */
export const SymbolField = ({ form, isNew }: SymbolFieldProps) => {
  const [note, setNote] = useState<string>();
  const afterPress = useAfterPress();
  const splitLine = (): void => {
    const now = form.latest();
    if (now.symbol.trim() === "") return;
    const { values, problem, note: left } = expandLine(now, LOCALE);
    setNote(left);
    // Fields that a press has refused meanwhile stay marked.
    if (problem === undefined && values.symbol !== now.symbol) form.set(values);
  };
  const second = useSecondListing(form.values);
  if (isNew) return <SymbolFinder form={form} note={note ?? second} onBlur={() => afterPress(splitLine)} />;
  return (
    <Field label={fieldSpec("symbol").label} problem={form.problems.symbol} hint={note}>
      {(control) => (
        <input
          {...control}
          class="input symbol"
          type="text"
          name="symbol"
          required
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellcheck={false}
          value={form.values.symbol}
          onInput={({ currentTarget }) => form.set({ symbol: currentTarget.value })}
          onBlur={splitLine}
        />
      )}
    </Field>
  );
};

/** Says that the list has the symbol on another market, and both would count. The server refuses the same market twice. */
const useSecondListing = ({ symbol: typed, exchange: typedExchange }: FormValues): string | undefined => {
  const { list } = useStockList();
  const symbol = symbolText(typed);
  const listed = list?.items.filter((stock) => stock.symbol === symbol) ?? [];
  const exchange = typedExchange.trim().toUpperCase();
  const [first] = listed;
  if (first === undefined || listed.some((stock) => (stock.exchange ?? "") === exchange)) return undefined;
  return `${symbol} is in your list, ${first.exchange ? `on ${first.exchange}` : "without a market"}. This would be a second one.`;
};

/** The currencies that most stocks are quoted in are listed first. */
const FREQUENT = ["USD", "EUR", "GBP", "GBX", "CHF", "JPY", "CAD", "AUD", "HKD", "SEK", "DKK", "NOK", "INR"] as const;

/** Names of the hundredths, which `Intl` does not know. */
const HUNDREDTHS: Readonly<Record<string, string>> = {
  GBX: "British pence",
  ZAC: "South African cents",
  ILA: "Israeli agorot",
};

/** A native select: typing a code finds it. */
export const CurrencyField = ({ form }: { readonly form: StockForm }) => {
  const { currency } = form.values;
  const { code, divisor } = majorCurrency(currency);
  const options = useMemo(() => currencyOptions(currency), [currency]);
  return (
    <Field
      label={fieldSpec("currency").label}
      problem={form.problems.currency}
      hint={divisor === 100 ? `Prices in hundredths: ${currency} 250 is ${code} 2.50.` : undefined}
    >
      {(control) => (
        <Select {...control} value={currency} options={options} onPick={(picked) => form.set({ currency: picked })} />
      )}
    </Field>
  );
};

let names: Intl.DisplayNames | undefined;

/** The currencies to choose from, including the stock's own. Naming 180 currencies takes a moment. */
const currencyOptions = (now: string): readonly (readonly [string, string])[] => {
  names ??= new Intl.DisplayNames("en", { type: "currency" });
  const nameOf = (code: string): string => HUNDREDTHS[code] ?? names?.of(code) ?? code;
  return [...new Set([...FREQUENT, ...offeredCurrencies(now)])].map((code) => [code, `${code} · ${nameOf(code)}`]);
};
