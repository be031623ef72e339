/** Takes a person's key of a price source. */
import { useState } from "preact/hooks";
import type { QuoteSourceId } from "../../../contract/settings/price-settings.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";
import { useTask } from "../use-task.ts";
import { saveQuotesKey } from "./price-requests.ts";

/** Called at the press. What it returns gets what is to be announced, after something was saved. */
export type OnPress = { readonly onPress: () => (said: string) => Promise<void> };

/** The names of the sources, in the order in which they are offered. */
const SOURCES: readonly (readonly [QuoteSourceId, string])[] = [
  ["twelvedata", "Twelve Data"],
  ["eodhd", "EODHD"],
];

/** A source's name for people. */
export const nameOf = (source: QuoteSourceId): string => SOURCES.find(([id]) => id === source)?.[1] ?? source;

/** What the server refused, as a sentence for the field: it begins with the field's name. */
const atItsField = (problem: string): string => problem.replace(/^key: (.)/, (_, first: string) => first.toUpperCase());

/** The key is write-only: it is never shown again. `isAgain`: a key was stored that this server can no longer read. */
export const KeyForm = ({ isAgain, onPress }: OnPress & { readonly isAgain: boolean }) => {
  const [source, setSource] = useState<QuoteSourceId>("twelvedata");
  const [key, setKey] = useState("");
  const { isBusy, problem: refused, runTask } = useTask();
  const problem = refused && atItsField(refused);
  const save = async (): Promise<void> => {
    if (key.trim() === "") return;
    const onSaved = onPress();
    if (await runTask(() => saveQuotesKey(source, key.trim())))
      await onSaved("The key is saved. Prices are on their way.");
  };
  return (
    <form
      class="quotes-key"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <p class="muted">
        {isAgain
          ? "Your key can no longer be read here. Please enter it again."
          : "Add your key for one of these sources, and prices update automatically. It is used only for you."}
      </p>
      <Field label="Source">
        {(control) => <Select {...control} value={source} options={SOURCES} onPick={setSource} />}
      </Field>
      <Field label="Key" problem={problem} hint="Stored encrypted, and never shown again.">
        {(control) => (
          <input
            {...control}
            class="input"
            type="password"
            autoComplete="off"
            spellcheck={false}
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit" aria-disabled={isBusy || key.trim() === ""}>
        {isBusy ? "Checking the key…" : "Save the key"}
      </Button>
      {problem && (
        <p class="vh" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
};
