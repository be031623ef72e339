/** Folding: what counts as the same word in a search (api.md §5). */
import { expect, it } from "vitest";
import { foldText, searchWords } from "../../../src/contract/fold-text.ts";

it.each([
  ["Nestlé", "nestle"],
  ["ÖSTERREICH", "österreich"],
  ["Straße", "STRASSE"],
  ["GROẞ", "groß"],
  ["ΟΔΟΣ", "οδος"],
  ["Ørsted", "orsted"],
  ["Mærsk", "maersk"],
  ["ＡＢＣ", "abc"],
  ["e\u0301", "é"],
])("%s and %s fold to the same", (one, other) => {
  expect(foldText(one)).toBe(foldText(other));
});

it.each([
  ["", []],
  ["  \t ", []],
  ["one  two", ["ONE", "TWO"]],
  ["\u00a0crédit\u3000agricole ", ["CREDIT", "AGRICOLE"]],
  ["\u0301", []],
])("the words of %j are %j", (search, words) => {
  expect(searchWords(search)).toEqual(words);
});
