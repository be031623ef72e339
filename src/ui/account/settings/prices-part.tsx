/** The person's currency, and where their prices come from. */
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useRef } from "preact/hooks";
import type { QuotesView } from "../../../contract/settings/price-settings.ts";
import type { SettingsView } from "../../../contract/settings/settings-view.ts";
import { formatCount, LOCALE } from "../../format/format-number.ts";
import { LAST_ERRORS } from "../../format/price-trouble.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";
import { watchPress } from "../focus-heading.ts";
import { useSaving } from "../use-saving.ts";
import { useTask } from "../use-task.ts";
import { KeyForm, nameOf, type OnPress } from "./key-form.tsx";
import { readSettings, removeQuotesKey, SETTINGS_KEY, saveBaseCurrency } from "./price-requests.ts";

export const PricesPart = () => {
  const client = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error } = useQuery<SettingsView>({
    queryKey: SETTINGS_KEY,
    queryFn: ({ signal }) => readSettings(signal),
    staleTime: 0,
  });
  // Totals and prices depend on the settings.
  const onSaved = async (said: string): Promise<void> => {
    announce(said);
    await Promise.all([
      client.invalidateQueries({ queryKey: SETTINGS_KEY }),
      client.invalidateQueries({ queryKey: ["list-stocks"] }),
    ]);
  };
  return (
    <section class="account-part">
      <h3 ref={heading} tabIndex={-1}>
        Prices
      </h3>
      {data === undefined && (error ? <p class="problem">{error.message}</p> : <p class="muted">Loading…</p>)}
      {data && (
        <>
          <CurrencyChoice chosen={data.baseCurrency} onSaved={onSaved} />
          <SourceOfPrices
            quotes={data.quotes}
            onPress={() => {
              const focusHeading = watchPress();
              return async (said) => {
                await onSaved(said);
                // The form or the button that was pressed is gone.
                focusHeading(heading.current);
              };
            }}
          />
        </>
      )}
    </section>
  );
};

/** The currencies that a total can be in, because the ECB has rates of them. */
const CURRENCIES =
  "AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR";

const NAMES = new Intl.DisplayNames("en", { type: "currency" });

type CurrencyChoiceProps = { readonly chosen: string; readonly onSaved: (said: string) => Promise<void> };

const CurrencyChoice = ({ chosen, onSaved }: CurrencyChoiceProps) => {
  const { problem, show, save } = useSaving<{ readonly code: string }>({
    send: ({ code = chosen }) => saveBaseCurrency(code),
    onSaved: ({ code = chosen }) => void onSaved(`Totals are in ${NAMES.of(code)}.`),
    queryKey: SETTINGS_KEY,
  });
  const { code: shown } = show({ code: chosen });
  const codes = [...new Set([...CURRENCIES.split(" "), shown])].sort();
  return (
    <Field label="Your currency" problem={problem} hint="The total of all your stocks is in this currency.">
      {(control) => (
        <Select
          {...control}
          value={shown}
          options={codes.map((code) => [code, `${code}, ${NAMES.of(code)}`] as const)}
          onPick={(code) => save({ code })}
        />
      )}
    </Field>
  );
};

const SourceOfPrices = ({ quotes, onPress }: OnPress & { readonly quotes: QuotesView }) => {
  const { source, licence, isOff, hasKey, creditsLeft, lastError, attribution } = quotes;
  const { isBusy, problem, runTask } = useTask();
  if (isOff) return <p class="muted">This server fetches no prices.</p>;
  if (source === "demo") {
    return (
      <p class="muted">
        <Credit attribution={attribution} />
      </p>
    );
  }
  if (licence === "display") {
    return (
      <p class="muted">
        {hasKey
          ? "Prices come with this app: whoever runs it has a licence to show them. No key is needed."
          : "Whoever runs this app has not set up a price source."}
        <Credit attribution={attribution} />
      </p>
    );
  }
  if (source === null || !hasKey) return <KeyForm isAgain={source !== null} onPress={onPress} />;
  const remove = async (): Promise<void> => {
    const onSaved = onPress();
    if (await runTask(removeQuotesKey)) await onSaved("The key is removed. Prices no longer update.");
  };
  return (
    <>
      <p>
        Prices come from {nameOf(source)}, with your key.
        {creditsLeft !== null && ` ${formatCount(creditsLeft, "request", "requests", LOCALE)} left today.`}
        <Credit attribution={attribution} />
      </p>
      <p class="muted">
        From half an hour after you leave the list, prices are fetched only for stocks with a target notice, at most
        every 15 minutes.
      </p>
      {lastError !== null && <p class="problem">{LAST_ERRORS[lastError] ?? lastError}</p>}
      <Button aria-disabled={isBusy} onClick={() => void remove()}>
        {isBusy ? "Removing…" : "Remove the key"}
      </Button>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
};

/** Demo prices have nobody to link to. */
const Credit = ({ attribution }: Pick<QuotesView, "attribution">) =>
  attribution && (
    <>
      {" "}
      {attribution.url === null ? (
        attribution.text
      ) : (
        <a href={attribution.url} target="_blank" rel="noopener">
          {attribution.text}
        </a>
      )}
    </>
  );
