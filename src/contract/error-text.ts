/** An error as a log may hold it: a failed query's message has the bound values in it, which are people's own words. */

/** Message and stack of anything thrown, its causes behind it, without the values that a query was bound to. */
export const errorText = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\nCaused by: ${errorText(error.cause)}`;
  return `${boundQueryOf(error) ?? error.stack ?? String(error)}${cause}`;
};

/** Drizzle's `DrizzleQueryError`: the statement with its placeholders, and where it was sent. */
const boundQueryOf = (error: Error): string | undefined => {
  if (!("query" in error) || !("params" in error)) return undefined;
  const { stack = "" } = error;
  const start = stack.indexOf(error.message);
  return `Failed query: ${String(error.query)}${start === -1 ? "" : stack.slice(start + error.message.length)}`;
};
