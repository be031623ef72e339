/** Where `navigate` leads: only to places that the app builds itself. */
import { describe, expect, it } from "vitest";
import { readPlaceUrl } from "../../../../../src/ui/agent/panel/read-tool-result.ts";

const ID = "0193f5c0-0000-7000-8000-000000000001";

const placeOf = (place: unknown): string | undefined => readPlaceUrl(JSON.stringify(place));

describe("navigate", () => {
  it.each([
    [{ view: "chat" }, "/"],
    [{ view: "stocks" }, "/stocks"],
    [{ view: "stocks", tab: "watchlist" }, "/stocks?tab=watchlist"],
    [{ view: "stocks", q: "big & small" }, "/stocks?q=big+%26+small"],
    [{ view: "stocks", stockId: ID }, `/stocks?dialog=detail&id=${ID}`],
    [{ view: "stocks", stockId: ID, dialog: "edit" }, `/stocks?dialog=edit&id=${ID}`],
    [{ view: "stocks", dialog: "add", q: "AAPL 10 @ 180" }, "/stocks?dialog=add&draft=AAPL+10+%40+180"],
    [{ view: "stocks", dialog: "edit" }, "/stocks"],
  ])("%j leads to %s", (place, url) => {
    expect(placeOf(place)).toBe(url);
  });

  it.each([
    [{ view: "stocks", stockId: "../../evil" }],
    [{ view: "stocks", tab: "//evil.test" }],
    [{ view: "stocks", dialog: "javascript:alert(1)" }],
    [{ view: "stocks", q: ["x"], stockId: { href: "//evil.test" } }],
    [{ view: "stocks", url: "https://evil.test", path: "//evil.test" }],
  ])("leaves out of %j what it does not know", (place) => {
    expect(placeOf(place)).toBe("/stocks");
  });

  it.each([
    "null",
    "[]",
    '"/stocks"',
    "{}",
    '{"view":"https://evil.test"}',
    '{"view":"stocks","q":"cut in the mid',
    "",
  ])("stays where it is for %s", (output) => {
    expect(readPlaceUrl(output)).toBeUndefined();
  });
});
