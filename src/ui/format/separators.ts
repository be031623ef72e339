/** Which separators stand before decimals and which between thousands, in a locale or in a file. */

/** A `.` or `,` can be in both sets, or in none: then only its place in the number can tell. */
export type Separators = { readonly decimals: ReadonlySet<string>; readonly groups: ReadonlySet<string> };

/** `1,234.5` */
export const POINT_SEPARATORS: Separators = { decimals: new Set(["."]), groups: new Set([","]) };

/** `1.234,5` */
export const COMMA_SEPARATORS: Separators = { decimals: new Set([","]), groups: new Set(["."]) };

/** Nothing is known: `1,234` and `1.234` are refused. */
export const UNKNOWN_SEPARATORS: Separators = { decimals: new Set(), groups: new Set() };

const known = new Map<string, Separators>();

/** Those of a locale, for plain numbers and for money: Austria groups them differently. */
export const localeSeparators = (locale: string): Separators => {
  const separators = known.get(locale) ?? readSeparators(locale);
  known.set(locale, separators);
  return separators;
};

const readSeparators = (locale: string): Separators => {
  const parts = [{}, { style: "currency", currency: "EUR" } as const].flatMap((options) =>
    new Intl.NumberFormat(locale, options).formatToParts(1234567.89),
  );
  const ofType = (type: Intl.NumberFormatPartTypes): ReadonlySet<string> =>
    new Set(parts.filter((part) => part.type === type).map((part) => part.value));
  return { decimals: ofType("decimal"), groups: ofType("group") };
};
