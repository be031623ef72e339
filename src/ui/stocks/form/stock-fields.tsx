/** All fields of a stock, for adding and editing alike. */
import { FORM_FIELDS, type FormField } from "../../../contract/stocks/stock-field-keys.ts";
import { ASSET_TYPES, FORM_GROUPS, fieldSpec } from "../../../contract/stocks/stock-fields.ts";
import { LOCALE } from "../../format/format-number.ts";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";
import { useOwnId } from "../../parts/use-own-id.ts";
import { CurrencyField, SymbolField } from "./code-fields.tsx";
import { FormInput, FormSection, NotesField } from "./form-inputs.tsx";
import { expandLine } from "./quick-add.ts";
import { TagInput } from "./tag-input.tsx";
import type { StockForm } from "./use-stock-form.ts";

/** Suggested sectors: the eleven of GICS. Any other text is accepted too. */
const SECTORS = [
  "Communication services",
  "Consumer discretionary",
  "Consumer staples",
  "Energy",
  "Financials",
  "Health care",
  "Industrials",
  "Information technology",
  "Materials",
  "Real estate",
  "Utilities",
] as const;

type StockFieldsProps = { readonly form: StockForm; readonly isNew?: boolean };

/** The form without its buttons. */
export const StockFields = ({ form, isNew = false }: StockFieldsProps) => {
  const wrong = FORM_FIELDS.filter((field) => form.problems[field] !== undefined);
  return (
    <div class="stock-form" ref={form.ref}>
      {wrong.length > 1 && (
        <p class="form-note bad" role="alert">
          Please check: {wrong.map((field) => fieldSpec(field).label).join(", ")}.
        </p>
      )}
      {FORM_GROUPS.map(({ title, about, fields }) => {
        const controls = fields.map((field) => <StockField key={field} form={form} field={field} isNew={isNew} />);
        if (title === undefined) return controls;
        return (
          <FormSection key={title} form={form} title={title} about={about} fields={fields}>
            {controls}
          </FormSection>
        );
      })}
    </div>
  );
};

type StockFieldProps = { readonly form: StockForm; readonly field: FormField; readonly isNew: boolean };

/** One line of text, unless the field needs a control of its own. */
const StockField = ({ form, field, isNew }: StockFieldProps) => {
  switch (field) {
    case "symbol":
      return <SymbolField form={form} isNew={isNew} />;
    case "watched":
      return <WatchedSwitch form={form} />;
    case "currency":
      return <CurrencyField form={form} />;
    case "assetType":
      return <TypeField form={form} />;
    case "sector":
      return <SectorField form={form} />;
    case "tags":
      return (
        <div class="whole">
          <TagInput form={form} />
        </div>
      );
    case "notes":
      return (
        <div class="whole">
          <NotesField form={form} />
        </div>
      );
    default:
      return <FormInput form={form} field={field} />;
  }
};

type AssetType = keyof typeof ASSET_TYPES;

const isAssetType = (name: string): name is AssetType => Object.hasOwn(ASSET_TYPES, name);

const TYPE_OPTIONS = Object.keys(ASSET_TYPES)
  .filter(isAssetType)
  .map((type) => [type, ASSET_TYPES[type]] as const);

const TypeField = ({ form }: { readonly form: StockForm }) => (
  <Field label={fieldSpec("assetType").label} problem={form.problems.assetType}>
    {(control) => (
      <Select
        {...control}
        value={form.values.assetType}
        options={TYPE_OPTIONS}
        onPick={(assetType) => form.set({ assetType })}
      />
    )}
  </Field>
);

const SectorField = ({ form }: { readonly form: StockForm }) => {
  const listId = useOwnId();
  return (
    <>
      <FormInput form={form} field="sector" list={listId} />
      <datalist id={listId}>
        {SECTORS.map((sector) => (
          <option key={sector} value={sector} />
        ))}
      </datalist>
    </>
  );
};

/** Until the switch is set, a stock that is not held counts as watched, as on the server. */
const WatchedSwitch = ({ form }: { readonly form: StockForm }) => {
  // The symbol field may still hold a whole line that has not been split into the fields yet.
  const { watched, quantity } = expandLine(form.values, LOCALE).values;
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={watched ?? /^[0.,\s]*$/.test(quantity)}
        onChange={({ currentTarget }) => form.set({ watched: currentTarget.checked })}
      />
      {fieldSpec("watched").label}
    </label>
  );
};
