/** All fields of a stock, for adding and editing alike. */
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";
import { useOwnId } from "../../parts/use-own-id.ts";
import { CurrencyField } from "./currency-field.tsx";
import { FormInput } from "./form-inputs.tsx";
import { FormSection } from "./form-section.tsx";
import { NotesField } from "./notes-field.tsx";
import { expandLine } from "./quick-text.ts";
import { SECTORS } from "./sectors.ts";
import { ASSET_TYPES, FIELD_LABELS, STOCK_FIELDS } from "./stock-field.ts";
import { SymbolField } from "./symbol-field.tsx";
import { TagInput } from "./tag-input.tsx";
import type { StockForm } from "./use-stock-form.ts";

type StockFieldsProps = { readonly form: StockForm; readonly isNew?: boolean };

/** The form without its buttons. */
export const StockFields = ({ form, isNew = false }: StockFieldsProps) => {
  const sectorsId = useOwnId();
  const wrong = STOCK_FIELDS.filter((field) => form.problems[field] !== undefined);
  return (
    <div class="stock-form" ref={form.ref}>
      {wrong.length > 1 && (
        <p class="form-note bad" role="alert">
          Please look at: {wrong.map((field) => FIELD_LABELS[field]).join(", ")}.
        </p>
      )}
      <SymbolField form={form} isNew={isNew} />
      <FormInput form={form} field="name" hint="Leave it empty to show the symbol." />
      <WatchedSwitch form={form} />
      <FormSection
        form={form}
        title="Holding"
        about="quantity, cost, price"
        fields={["quantity", "avgCost", "lastPrice"]}
      >
        <FormInput form={form} field="quantity" isAmount />
        <FormInput form={form} field="avgCost" isAmount />
        <CurrencyField form={form} />
        <FormInput form={form} field="lastPrice" isAmount />
      </FormSection>
      <FormSection form={form} title="Targets" about="when to buy or sell" fields={["targetLow", "targetHigh"]}>
        <FormInput form={form} field="targetLow" isAmount />
        <FormInput form={form} field="targetHigh" isAmount />
      </FormSection>
      <FormSection
        form={form}
        title="More"
        about="tags, notes, exchange"
        fields={["tags", "notes", "exchange", "isin", "sector"]}
      >
        <div class="whole">
          <TagInput form={form} />
        </div>
        <div class="whole">
          <NotesField form={form} />
        </div>
        <Field label={FIELD_LABELS.assetType} problem={form.problems.assetType}>
          {(control) => (
            <Select
              {...control}
              value={form.values.assetType}
              options={ASSET_TYPES}
              onPick={(assetType) => form.set({ assetType })}
            />
          )}
        </Field>
        <FormInput form={form} field="sector" list={sectorsId} />
        <FormInput form={form} field="exchange" hint="Market code, such as XNAS." />
        <FormInput form={form} field="isin" />
        <datalist id={sectorsId}>
          {SECTORS.map((sector) => (
            <option key={sector} value={sector} />
          ))}
        </datalist>
      </FormSection>
    </div>
  );
};

/** Until somebody says otherwise, what is not held is watched, as the server does it. */
const WatchedSwitch = ({ form }: { readonly form: StockForm }) => {
  // Also of what stands in the symbol's field as a line and is not taken apart yet.
  const { watched, quantity } = expandLine(form.values, navigator.language).values;
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={watched ?? /^[0.,\s]*$/.test(quantity)}
        onChange={({ currentTarget }) => form.set({ watched: currentTarget.checked })}
      />
      {FIELD_LABELS.watched}
    </label>
  );
};
