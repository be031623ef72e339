/** Shows the last price, and a short form to set it, because this is the number that people change most. */
import { IconCheck } from "@tabler/icons-preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { formatPrice } from "../../format/format-money.ts";
import { WORDS_LOCALE } from "../../format/format-number.ts";
import { parseNumber } from "../../format/parse-number.ts";
import { priceWords } from "../../format/price-age.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { useMinute } from "../../state/use-minute.ts";
import { readServerProblems } from "../form/form-refusal.ts";
import { DayChange } from "../list/row/row-figures.tsx";
import { priceWanted } from "../store/price-wanted.ts";
import { errorText } from "../store/stock-failures.ts";
import { useStockActions } from "../store/use-stock-actions.ts";

export const PriceForm = ({ stock }: { readonly stock: Stock }) => {
  const locale = navigator.language;
  const actions = useStockActions();
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
      // Keeps what was typed while saving: it is the next price.
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

/** The price with its age and source, so that last year's price does not look like today's, and why it is not newer. */
const LastPrice = ({ stock }: { readonly stock: Stock }) => {
  const { lastPrice, lastPriceAt, lastPriceSource, currency, dayChange, priceState, instrument } = stock;
  const now = useMinute();
  const words = priceWords(stock, now.getTime(), false);
  const at = lastPriceAt === null ? "" : new Date(lastPriceAt).toLocaleString(WORDS_LOCALE);
  return (
    <div class="last-price">
      <span class="muted">Last price</span>
      <strong class={priceState === "stale" ? "muted" : undefined}>
        {lastPrice === null ? "Unknown" : formatPrice(lastPrice, currency, navigator.language)}
      </strong>
      {dayChange !== null && (
        <span>
          <DayChange stock={stock} isLong />
        </span>
      )}
      {words !== "" && (
        <time
          class="muted"
          dateTime={lastPriceAt ?? undefined}
          title={[at, lastPriceSource].filter(Boolean).join(", ")}
        >
          {words}
        </time>
      )}
      {priceState === "pending" && <p class="muted">{stock.pendingSplit ? SPLIT_WAITS : IS_HELD}</p>}
      {priceState === "stale" && instrument && <p class="muted">{NO_NEWER}</p>}
    </div>
  );
};

const SPLIT_WAITS = "Prices wait until you have answered the split.";

const IS_HELD = "The newest price is so different that it has to be confirmed first. This is the last confirmed one.";

const NO_NEWER = "The source has had no newer price since then.";
