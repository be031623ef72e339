/** Parses JSON text into a value of unknown type, for a schema to check. @throws {SyntaxError} */
export const parseJson = (text: string): unknown => JSON.parse(text);

/** The same for text that may not be JSON: then undefined, which every schema for a required value refuses. */
export const tryParseJson = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};
