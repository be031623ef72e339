/** Typed lists of the fields in `stock-fields.ts`: code that handles each kind of field does not compile if it misses one. */
import { FORM_GROUPS, fieldSpec, STOCK_FIELDS, type StockFieldKey } from "./stock-fields.ts";

type Fields = typeof STOCK_FIELDS;

/** Fields for which the table says `Spec`. */
type KeysWith<Spec> = { [Key in StockFieldKey]: Fields[Key] extends Spec ? Key : never }[StockFieldKey];

export type KindOf<Key extends StockFieldKey> = Fields[Key]["kind"];
export type TextField = KeysWith<{ readonly kind: "text" }>;
export type DecimalField = KeysWith<{ readonly kind: "decimal" }>;
export type NullableField = KeysWith<{ readonly isNullable: true }>;
export type SortableField = KeysWith<{ readonly isSortable: true }>;
/** A field that a person fills in. */
export type FormField = Exclude<StockFieldKey, KeysWith<{ readonly isStamped: true }>>;

/** Whether a name is that of a field. */
export const isStockField = (name: string): name is StockFieldKey => Object.hasOwn(STOCK_FIELDS, name);

/** Whether a name is that of a field in the form. */
export const isFormField = (name: string): name is FormField => isStockField(name) && !fieldSpec(name).isStamped;

/** All fields, in the order of the export. */
export const STOCK_FIELD_KEYS: readonly StockFieldKey[] = Object.keys(STOCK_FIELDS).filter(isStockField);

/** In the order of the form. */
export const FORM_FIELDS: readonly FormField[] = FORM_GROUPS.flatMap<FormField>(({ fields }) => fields);

export const TEXT_FIELDS: readonly TextField[] = STOCK_FIELD_KEYS.filter(
  (key): key is TextField => fieldSpec(key).kind === "text",
);

/** Texts that a person fills in. */
export const FORM_TEXTS = TEXT_FIELDS.filter((key) => isFormField(key));

export const DECIMAL_FIELDS: readonly DecimalField[] = STOCK_FIELD_KEYS.filter(
  (key): key is DecimalField => fieldSpec(key).kind === "decimal",
);

export const NULLABLE_FIELDS: readonly NullableField[] = STOCK_FIELD_KEYS.filter(
  (key): key is NullableField => fieldSpec(key).isNullable === true,
);

/** A record with a value for each key. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  toValue: (key: Key) => Value,
): Record<Key, Value>;
export function recordOf(keys: readonly string[], toValue: (key: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, toValue(key)]));
}

/** Some fields of a record. */
export function pickFields<Values extends object>(
  values: Values,
  keys: readonly (keyof Values & string)[],
): Partial<Values>;
export function pickFields(values: Readonly<Record<string, unknown>>, keys: readonly string[]): object {
  return recordOf(keys, (key) => values[key]);
}
