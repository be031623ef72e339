/** The last price, and the quick way to set it: most of what a person changes is this one number. */
import { IconCheck } from "@tabler/icons-preact";
import { useRef, useState } from "preact/hooks";
import type { Stock } from "../../../contract/stock.ts";
import { formatPrice } from "../../format/format-price.ts";
import { formatRelativeTime } from "../../format/format-relative-time.ts";
import { parseNumber } from "../../format/parse-number.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { errorText } from "../stock-failures.ts";
import { useStockActions } from "../use-stock-actions.ts";
import { readServerProblems } from "./server-problems.ts";

/** Enter sets it. */
export const PriceForm = ({ stock }: { readonly stock: Stock }) => {
  const locale = navigator.language;
  const actions = useStockActions();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const { id, currency } = stock;

  const refuse = (why: string): void => {
    setProblem(why);
    input.current?.focus();
  };
  const save = async (): Promise<void> => {
    if (isSaving) return;
    const reading = parseNumber(text, locale, { range: "zero_or_more", currency });
    if (reading.kind === "empty") return refuse("Type a price.");
    if (reading.kind === "problem") return refuse(reading.problem);
    setSaving(true);
    try {
      const { lastPrice } = await actions.update({ id, set: { lastPrice: reading.decimal } });
      announce(`Price set to ${formatPrice(lastPrice, currency, locale)}`);
      // What was typed meanwhile is the next one.
      setText((now) => (now === text ? "" : now));
      setProblem(undefined);
    } catch (error) {
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
      <LastPrice stock={stock} />
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

/** The price with its age and where it comes from: a price of last year must not look like one of today. */
const LastPrice = ({ stock }: { readonly stock: Stock }) => {
  const { lastPrice, lastPriceAt, lastPriceSource, currency } = stock;
  const age = formatRelativeTime(lastPriceAt, new Date(), navigator.language);
  return (
    <div class="last-price">
      <span class="muted">Last price</span>
      <strong>{lastPrice === null ? "Not known" : formatPrice(lastPrice, currency, navigator.language)}</strong>
      {age.iso !== null && (
        <span class="muted">
          {lastPriceSource}
          {", "}
          <time dateTime={age.iso} title={new Date(age.iso).toLocaleString(navigator.language)}>
            {age.text}
          </time>
        </span>
      )}
    </div>
  );
};
