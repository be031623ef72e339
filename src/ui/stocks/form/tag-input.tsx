/** Tags as chips, followed by an input for the next one. */
import { IconX } from "@tabler/icons-preact";
import { useMemo, useRef } from "preact/hooks";
import { fieldSpec } from "../../../contract/stocks/stock-fields.ts";
import { announce } from "../../parts/announcer.tsx";
import { Field } from "../../parts/field.tsx";
import { useOwnId } from "../../parts/use-own-id.ts";
import { isComposing } from "../../state/key-events.ts";
import { useStockList } from "../store/use-stock-list.ts";
import { allTags, hasTag } from "./form-values.ts";
import type { StockForm } from "./use-stock-form.ts";

/** A comma, Enter or blur completes a tag; Backspace in the empty input removes the last one. */
export const TagInput = ({ form }: { readonly form: StockForm }) => {
  const { tags, openTag: text = "" } = form.values;
  const input = useRef<HTMLInputElement>(null);
  const listId = useOwnId();
  const known = useKnownTags();
  const take = (typed: string): void => {
    if (typed !== "") form.set({ tags: allTags({ tags, openTag: typed }), openTag: undefined });
  };
  const remove = (tag: string): void => {
    form.set({ tags: tags.filter((other) => other !== tag) });
    announce(`Tag ${tag} removed`);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    const last = tags.at(-1);
    // The dialog asks before it closes if this is a change.
    if (event.key === "Escape") take(text);
    if (event.key === "Backspace" && text === "" && last !== undefined) remove(last);
    if (event.key !== "Enter" || text.trim() === "") return;
    // Otherwise Enter would submit the form.
    event.preventDefault();
    take(text);
  };
  return (
    <Field label={fieldSpec("tags").label} problem={form.problems.tags} hint="Separate them with a comma.">
      {(control) => (
        <div class="input tag-input">
          {tags.map((tag) => (
            <span class="chip" key={tag}>
              {tag}
              <button type="button" aria-label={`Remove tag ${tag}`} onClick={() => remove(tag)}>
                <IconX size={14} stroke={1.75} aria-hidden="true" />
              </button>
            </span>
          ))}
          <input
            {...control}
            ref={input}
            type="text"
            autoComplete="off"
            list={listId}
            value={text}
            onInput={({ currentTarget: { value } }) =>
              value.includes(",") ? take(value) : form.set({ openTag: value || undefined })
            }
            onKeyDown={onKeyDown}
            onBlur={() => take(text)}
          />
          <datalist id={listId}>
            {known
              .filter((tag) => !hasTag(tags, tag))
              .map((tag) => (
                <option key={tag} value={tag} />
              ))}
          </datalist>
        </div>
      )}
    </Field>
  );
};

/** Tags of other stocks, as suggestions. */
const useKnownTags = (): readonly string[] => {
  const { list } = useStockList();
  return useMemo(() => [...new Set(list?.items.flatMap(({ tags }) => tags))].sort().slice(0, MAX_KNOWN), [list]);
};

/** More suggestions than this would not help. */
const MAX_KNOWN = 100;
