import { expect, it } from "vitest";
import { decodeEntities } from "../../../../../src/ui/agent/markdown/render-inline.tsx";

it.each([
  ["a name of HTML", "a &hellip; b &frac12; &CounterClockwiseContourIntegral;", "a … b ½ ∳"],
  ["a number", "&#8364; &#x20AC; &#X20ac;", "€ € €"],
  ["a number that names no character", "&#0; &#xD800; &#x110000;", "\uFFFD \uFFFD \uFFFD"],
  ["a name that HTML does not know", "&nothing; &not a reference;", "&nothing; &not a reference;"],
  ["a name without its semicolon", "AT&T &copy 2026", "AT&T &copy 2026"],
])("decodes %s", (_, text, decoded) => {
  expect(decodeEntities(text)).toBe(decoded);
});
