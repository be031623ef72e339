/** axe-core on every dialog about a stock, in both themes (which it takes by itself), and the narrowest screen. */
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";

const FULL = {
  ...{ symbol: "FULL", name: "Everything filled", exchange: "XNAS", isin: "US0378331005", sector: "Energy" },
  ...{ quantity: "60", avgCost: "180", lastPrice: "226.84", targetLow: "230", targetHigh: "260", tags: ["tech"] },
  notes: "Some notes\non two lines",
};

it("the detail", async ({ phone, tally }) => {
  const [stock] = await tally.seedStocks([FULL]);
  const page = await phone(`/stocks?dialog=detail&id=${stock?.id}`);
  await page.getByText("Added by you").waitFor();
  await expectNoAxeViolations(page);
});

it("the form, open and with problems", async ({ phone, tally }) => {
  const [stock] = await tally.seedStocks([FULL]);
  const page = await phone(`/stocks?dialog=edit&id=${stock?.id}`);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Quantity" }).fill("many");
  await dialog.getByRole("textbox", { name: "Buy at" }).fill("0");
  await dialog.getByRole("button", { name: "Save" }).tap();
  await dialog.getByText("Please check").waitFor();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Discard" }).waitFor();
  await expectNoAxeViolations(page);
});

it("adding a symbol that is taken", async ({ phone, tally }) => {
  await tally.seedStocks([{ symbol: "TAKEN" }]);
  const page = await phone("/stocks?dialog=add&draft=TAKEN", { allow: [/409/] });
  await page.getByRole("dialog").getByRole("button", { name: "Add stock" }).tap();
  await page.getByText("Edit that one instead?").waitFor();
  await expectNoAxeViolations(page);
});

it("the conflict", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([FULL]);
  const id = stock?.id ?? "";
  const page = await desktop(`/stocks?dialog=edit&id=${id}`, { allow: [/409/] });
  await page.getByRole("textbox", { name: "Quantity" }).fill("61");
  await tally.act("update-stock", { id, set: { quantity: "62" } });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("group", { name: "Quantity" }).waitFor();
  await expectNoAxeViolations(page);
});

it("an unknown stock", async ({ phone }) => {
  const page = await phone("/stocks?dialog=edit&id=nothing", { allow: [/404/] });
  await page.getByText("This stock is not in your list").waitFor();
  await expectNoAxeViolations(page);
});

it("form and detail need no sideways scrolling on 320 px, and targets are large enough for a finger", async ({
  phone,
  tally,
}) => {
  const [stock] = await tally.seedStocks([{ ...FULL, symbol: "NARROW", name: "Wort".repeat(30) }]);
  const page = await phone(`/stocks?dialog=edit&id=${stock?.id}`);
  await page.setViewportSize({ width: 320, height: 560 });
  await page.getByRole("textbox", { name: "Notes" }).waitFor();
  const body = page.locator("dialog .body");
  expect(await body.evaluate((part) => part.scrollWidth - part.clientWidth)).toBe(0);
  const heights = await page
    .locator("dialog button, dialog summary, dialog .input, dialog .switch")
    .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().height)));
  expect(heights.filter((height) => height < 44)).toEqual([]);
  await page.goto(`/stocks?dialog=detail&id=${stock?.id}`);
  await page.getByText("Added by you").waitFor();
  expect(await body.evaluate((part) => part.scrollWidth - part.clientWidth)).toBe(0);
});

it("every dialog can be read and used under a zoom of 400 %", async ({ phone, tally }) => {
  const [stock] = await tally.seedStocks([FULL]);
  const page = await phone("/stocks");
  await page.setViewportSize({ width: 320, height: 256 });
  const box = page.getByRole("dialog");
  for (const dialog of ["filters", "add", "import", `detail&id=${stock?.id}`, `edit&id=${stock?.id}`]) {
    await page.goto(`/stocks?dialog=${dialog}`);
    const head = box.getByRole("heading").first();
    await head.waitFor();
    // Head and foot scroll along, so that the whole height is for what one reads.
    const last = box.locator("footer button").last();
    // What comes later, such as a stock's history, pushes it away once more.
    const canBeReached = async () => {
      await last.scrollIntoViewIfNeeded();
      return await last.evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight);
    };
    await expect.poll(canBeReached).toBe(true);
    expect(await head.evaluate((heading) => heading.getBoundingClientRect().bottom < 0)).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  }
  await expectNoAxeViolations(page, { within: "dialog[open]" });
});
