/** What the list of chats shows of a match. */
import { expect, it } from "vitest";
import { matchPieces } from "../../../../../src/ui/agent/panel/thread-link.tsx";

const plain = (match: string): string =>
  matchPieces(match, "")
    .map(({ text }) => text)
    .join("");

it.each([
  ["They ripen in the **cellar**.", "They ripen in the cellar."],
  ["…of the **cel", "…of the cel"],
  ["lar** and `npm test`, *so* it is", "lar and npm test, so it is"],
  ["## Summary See [the page](https://example.com/a) ~~now~~", "Summary See the page now"],
  ["2**8, 2 * 3 ** 4, a_b, C# and #1", "2**8, 2 * 3 ** 4, a_b, C# and #1"],
])("%j is shown as %j", (match, shown) => {
  expect(plain(match)).toBe(shown);
});

it("marks the words that were searched for, however they are written", () => {
  expect(matchPieces("In the **Cellar** of Zürich.", "cell zurich").filter(({ isMatch }) => isMatch)).toEqual([
    { text: "Cell", isMatch: true },
    { text: "Zürich", isMatch: true },
  ]);
});
