/** JSON arrays written piece by piece. */

/** An item as JSON: whole, or in pieces that make one text. */
export type JsonItem = string | AsyncIterable<string>;

/** The text of an array, in pieces. */
export async function* jsonList(items: AsyncIterable<JsonItem>): AsyncGenerator<string> {
  let before = "[";
  for await (const item of items) {
    yield before;
    before = ",";
    if (typeof item === "string") yield item;
    else yield* item;
  }
  yield before === "[" ? "[]" : "]";
}
