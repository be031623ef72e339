/** A short form to set the price by hand. */
import { IconCheck } from "@tabler/icons-preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { formatPrice } from "../../format/format-money.ts";
import { LOCALE } from "../../format/format-number.ts";
import { parseNumber } from "../../format/parse-number.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { focusProblem } from "../../parts/task/focus-problem.ts";
import { readServerProblems } from "../form/form-refusal.ts";
import { priceWanted } from "../store/row-state.ts";
import { errorText } from "../store/stock-failures.ts";
import { useStockActions } from "../store/use-stock-actions.ts";
import { useLateFailures } from "./use-change.tsx";

export const PriceForm = ({ stock }: { readonly stock: Stock }) => {
  const actions = useStockActions();
  const lateFailures = useLateFailures(stock);
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const { id, currency } = stock;

  useEffect(() => {
    if (priceWanted.get() !== id) return;
    priceWanted.set(undefined);
    input.current?.focus();
  }, [id]);

  const refuse = (why: string): void => {
    setProblem(why);
    focusProblem(input.current, why);
  };
  const save = async (): Promise<void> => {
    if (isSaving) return;
    const reading = parseNumber(text, LOCALE, { range: "zero_or_more", currency });
    if (reading.kind === "empty") return refuse("Type a price.");
    if (reading.kind === "problem") return refuse(reading.problem);
    setSaving(true);
    lateFailures.forget();
    try {
      const { lastPrice } = await actions.update({ id, set: { lastPrice: reading.decimal } });
      announce(`Price set to ${formatPrice(lastPrice, currency, LOCALE)}`);
      // Keeps what was typed while saving: it is the next price.
      setText((now) => (now === text ? "" : now));
      setProblem(undefined);
    } catch (error) {
      if (lateFailures.tellIfGone(error)) return;
      const { problems, rest } = readServerProblems(errorText(error));
      refuse(problems.lastPrice ?? rest ?? errorText(error));
    } finally {
      setSaving(false);
    }
  };
  return (
    <form
      class="price-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label="New price" problem={problem}>
        {(control) => (
          <span class="price-row">
            <input
              {...control}
              ref={input}
              class="input amount"
              type="text"
              inputMode="decimal"
              autoComplete="off"
              value={text}
              onInput={({ currentTarget }) => {
                setText(currentTarget.value);
                setProblem(undefined);
              }}
            />
            <Button type="submit" icon={IconCheck} aria-disabled={isSaving}>
              {isSaving ? "Saving…" : "Set"}
            </Button>
          </span>
        )}
      </Field>
    </form>
  );
};
