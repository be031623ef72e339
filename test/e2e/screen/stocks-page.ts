/** A list of four stocks, and what tests of it wait for. */
import type { Page } from "playwright-core";

/** A holding. */
export const APPLE = {
  symbol: "AAPL",
  name: "Apple",
  exchange: "XNAS",
  quantity: "60",
  avgCost: "180",
  lastPrice: "226.84",
};
const NESTLE = { symbol: "NESN", name: "Nestlé", currency: "CHF", watched: true, tags: ["food"] };
const NVIDIA = {
  symbol: "NVDA",
  name: "NVIDIA",
  lastPrice: "118.2",
  targetLow: "120",
  targetHigh: "190",
  tags: ["chips"],
};
const AMD = { symbol: "AMD", name: "Advanced Micro Devices", lastPrice: "150", targetLow: "100", tags: ["chips"] };

/** A holding in dollars, one stock of the watchlist in francs, and two of one tag that are near a target. */
export const STOCKS = [APPLE, NESTLE, NVIDIA, AMD];

/** Waits until the rows are of these symbols, in this order. */
export const waitForRows = async (page: Page, expected: string): Promise<void> => {
  await page.waitForFunction(
    (text) => [...document.querySelectorAll("[data-id] .open")].map((link) => link.textContent).join(" ") === text,
    expected,
  );
};
