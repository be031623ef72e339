/** Parses JSON text into a value of unknown type, for a schema to check. @throws {SyntaxError} */
export const parseJson = (text: string): unknown => JSON.parse(text);

/** Like `parseJson`, but returns undefined for text that is not JSON. Every schema for a required value refuses undefined. */
export const tryParseJson = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

/** Parses a JSON body. @throws {RangeError} as `readText` does. @throws {SyntaxError} */
export const parseJsonBody = async (body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<unknown> =>
  parseJson(await readText(body, maxBytes));

/** Reads a body as text. @throws {RangeError} beyond `maxBytes`, without having read the rest. */
export const readText = async (body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new RangeError(`The body is longer than ${maxBytes} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};

/** Whether a value has named fields. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
