/** Why there are no newer prices, in words. */
import { describe, expect, it } from "vitest";
import type { QuotesView } from "../../../../src/contract/settings/price-settings.ts";
import { whyNoUpdates, whyStale } from "../../../../src/ui/format/price-trouble.ts";
import { obstacleOf } from "../../../../src/ui/stocks/detail/target-notice.tsx";
import { hintFor } from "../../../../src/ui/stocks/form/find/symbol-finder.tsx";

const KEYED: QuotesView = {
  ...{ source: "twelvedata", licence: "owner", isOff: false, hasKey: true },
  ...{ creditsLeft: 1, lastError: null, attribution: null },
};
const KEYLESS: QuotesView = { ...KEYED, source: null, hasKey: false };
const OFF: QuotesView = { ...KEYLESS, isOff: true };
const DISPLAY: QuotesView = { ...KEYED, licence: "display" };

it.each<[QuotesView, string | undefined]>([
  [KEYED, undefined],
  [{ ...KEYED, lastError: "down" }, undefined],
  [{ ...DISPLAY, source: "demo" }, undefined],
  [KEYLESS, "Prices do not update: there is no key. Add one under Account."],
  [
    { ...KEYLESS, source: "eodhd" },
    "Prices do not update: your key can no longer be read. Enter it again under Account.",
  ],
  [
    { ...KEYED, lastError: "auth" },
    "Prices do not update: the source refuses your key. Enter it again under Account, or another one.",
  ],
  [OFF, "Prices do not update: this server fetches none."],
  [{ ...OFF, licence: "display" }, "Prices do not update: this server fetches none."],
  [{ ...KEYLESS, licence: "display" }, "Prices do not update: whoever runs this app has not set up a price source."],
  [
    { ...DISPLAY, lastError: "auth" },
    "Prices do not update: the source refuses this app's key. Whoever runs the app has to replace it.",
  ],
])("with %j prices do not update because: %s", (quotes, words) => {
  expect(whyNoUpdates(quotes)).toBe(words);
});

it("a stale price says what is known of why", () => {
  expect(whyStale(KEYLESS)).toBe(whyNoUpdates(KEYLESS));
  expect(whyStale({ ...KEYED, lastError: "down" })).toBe(
    "The source did not answer last time. It will be asked again.",
  );
  expect(whyStale(KEYED)).toBe("The source has had no newer price since then.");
});

describe("a target notice", () => {
  const stock = {
    ...{ autoPrice: true },
    instrument: { source: "twelvedata", symbol: "AAPL", exchange: "XNAS", name: "Apple" },
  };
  const devices = { publicKey: "key", devices: [], lapsed: [] };

  it.each<[QuotesView | undefined, "push" | "mail" | "none" | undefined, string | undefined]>([
    [KEYED, "mail", undefined],
    [undefined, undefined, undefined],
    [KEYLESS, "mail", "Only prices from a source are watched, and none come from it now."],
    [{ ...KEYED, lastError: "auth" }, "push", "Only prices from a source are watched, and none come from it now."],
    [KEYED, "none", "Target notices are turned off in Account."],
    [KEYED, "push", "Nothing is pushed yet: no device is turned on."],
  ])("with %j, by %s, is kept from its person: %s", (quotes, channel, words) => {
    expect(obstacleOf(stock, quotes, channel, devices)).toBe(words);
  });

  it("is pushed to the devices that there are, whatever has become of others", () => {
    const laptop = { deviceId: "1", label: "Laptop", createdAt: "2026-01-01T00:00:00.000Z" };
    const lapsed = [{ ...laptop, deviceId: "2", label: "Phone" }];
    expect(obstacleOf(stock, KEYED, "push", { ...devices, devices: [laptop], lapsed })).toBeUndefined();
    expect(obstacleOf(stock, KEYED, "push", { ...devices, lapsed })).toContain("Phone");
  });
});

describe("a search that found nothing", () => {
  const found = { q: "acme", matches: [], problem: undefined };

  it.each<[QuotesView | undefined, RegExp]>([
    [undefined, /^Symbol or name/],
    [KEYED, /^Symbol or name/],
    [DISPLAY, /^Symbol or name/],
    [KEYLESS, /^Not in your list\. Type the symbol itself, or add a price source under Account to search by name\.$/],
    [OFF, /^Not in your list\. Type the symbol itself\.$/],
    [{ ...KEYLESS, licence: "display" }, /^Not in your list\. Type the symbol itself\.$/],
  ])("with %j says what is left to do: %s", (quotes, words) => {
    expect(hintFor(found, quotes)).toMatch(words);
  });
});
