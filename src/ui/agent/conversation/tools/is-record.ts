/** Tells objects apart among values of any kind. */

/** Whether a value has named fields. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
