/** The currency of all amounts of a stock. */
import { CURRENCY_CODES } from "../../../contract/currency-codes.ts";
import { majorCurrency } from "../../../contract/major-currency.ts";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";
import type { StockForm } from "./use-stock-form.ts";

/** Those that most stocks are quoted in come first. */
const FREQUENT = ["USD", "EUR", "GBP", "GBX", "CHF", "JPY", "CAD", "AUD", "HKD", "SEK", "DKK", "NOK", "INR"] as const;

/** What the hundredths are called; the platform does not know them. */
const HUNDREDTHS: Readonly<Record<string, string>> = {
  GBX: "British pence",
  ZAC: "South African cents",
  ILA: "Israeli agorot",
};

/** A native choice: typing its code finds it. */
export const CurrencyField = ({ form }: { readonly form: StockForm }) => {
  const { currency } = form.values;
  const { code, divisor } = majorCurrency(currency);
  return (
    <Field
      label="Currency"
      problem={form.problems.currency}
      hint={divisor === 100 ? `Prices in hundredths: ${currency} 250 is ${code} 2.50.` : undefined}
    >
      {(control) => (
        <Select
          {...control}
          value={currency}
          options={currencyOptions()}
          onPick={(picked) => form.set({ currency: picked })}
        />
      )}
    </Field>
  );
};

let options: readonly (readonly [string, string])[] | undefined;

/** Made when first needed: naming 180 currencies takes a moment. */
const currencyOptions = (): readonly (readonly [string, string])[] => {
  if (options) return options;
  const names = new Intl.DisplayNames("en", { type: "currency" });
  options = [...new Set([...FREQUENT, ...CURRENCY_CODES])].map((code) => [
    code,
    `${code} · ${HUNDREDTHS[code] ?? names.of(code) ?? code}`,
  ]);
  return options;
};
