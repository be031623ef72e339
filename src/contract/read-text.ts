/** The text of a body. @throws {RangeError} beyond `maxBytes`, without having read the rest. */
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
