/** JSON for people to read. */

/** Any value of a call, indented; a plain text stays as it is. */
export const prettyJson = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");

/** A result that is JSON indented, any other as it is. A longer one is not worth the time. */
export const prettyText = (text: string): string => {
  if (!/^\s*[[{]/.test(text) || text.length > MAX_LENGTH) return text;
  try {
    return prettyJson(JSON.parse(text));
  } catch {
    return text;
  }
};

const MAX_LENGTH = 200_000;
