/** A stock beside the list: nothing is dimmed or blocked, arrow keys lead on, Back closes it, and the focus stays with its row. */
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { keepToast } from "../../support/browser/until-seen.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { STOCKS, waitForRows } from "./stocks-page.ts";

it("a stock opens beside the list, follows the arrow keys, and Back closes it", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "AAPL" }).click();
  await page.getByRole("dialog", { name: "AAPL" }).getByText("Added by you").waitFor();
  expect(await page.locator("dialog:modal").count()).toBe(0);
  await waitForRows(page, "AAPL AMD NESN NVDA");
  // The list has turned into cards, and turns back.
  await page.getByRole("table").waitFor({ state: "detached" });
  await waitForFocus(page.getByRole("link", { name: "AAPL" }));
  await page.keyboard.press("Escape");
  await page.getByRole("table").waitFor();
  await waitForFocus(page.getByRole("link", { name: "AAPL" }));
  await page.keyboard.press("Enter");
  await page.getByRole("table").waitFor({ state: "detached" });
  await page.keyboard.press("ArrowDown");
  await page.getByRole("dialog", { name: "AMD" }).waitFor();
  await page.keyboard.press("ArrowRight");
  const nestle = page.getByRole("dialog", { name: "NESN" });
  await nestle.getByText("Added by you").waitFor();
  await expectNoAxeViolations(page);
  await nestle.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("dialog", { name: "Edit NESN" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Edit NESN" }).waitFor({ state: "detached" });
  await nestle.waitFor();
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
  await page.getByRole("table").waitFor();
  await waitForFocus(page.getByRole("link", { name: "NESN" }));
});

it("a stock beside the list follows an arrow key also to the row that one led to before", async ({
  desktop,
  tally,
}) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "AAPL" }).click();
  await page.getByRole("dialog", { name: "AAPL" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("dialog", { name: "AMD" }).waitFor();
  await page.getByRole("link", { name: "AAPL" }).click();
  await page.getByRole("dialog", { name: "AAPL" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await waitForFocus(page.getByRole("link", { name: "AMD" }));
  await page.getByRole("dialog", { name: "AMD" }).waitFor();
});

it("what is searched for beside a stock stays when the stock is closed", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "AAPL" }).click();
  await page.getByRole("searchbox").fill("nes");
  await page.waitForURL(/q=nes/);
  await page.getByRole("dialog", { name: "AAPL" }).getByRole("button", { name: "Close" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("table").waitFor();
  expect(new URL(page.url()).search).toBe("?q=nes");
  expect(await page.getByRole("searchbox").inputValue()).toBe("nes");
  await waitForRows(page, "NESN");
});

it("in a sheet over the list, toasts can be pressed, and the next stock is read aloud", async ({ phone, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/stocks");
  await page.getByRole("link", { name: "AAPL" }).tap();
  await page.getByRole("dialog", { name: "AAPL" }).getByRole("button", { name: "Delete" }).tap();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await keepToast(page, "AAPL deleted");
  await page.getByRole("link", { name: "AMD" }).tap();
  const sheet = page.getByRole("dialog", { name: "AMD" });
  await sheet.locator(".toast").getByText("AAPL deleted").waitFor();
  await expectNoAxeViolations(page);
  await sheet.getByRole("button", { name: "Undo" }).tap();
  await sheet.locator(".toast").getByText("AAPL deleted").waitFor({ state: "detached" });
  await waitForRows(page, "AAPL AMD NESN NVDA");
  // Said once the server has answered; what is said later would take the place of what the test looks for.
  await sheet.locator("[aria-live]").getByText("AAPL restored").waitFor();
  await page.getByRole("button", { name: "Next: NESN" }).tap();
  const next = page.getByRole("dialog", { name: "NESN" });
  await next.waitFor();
  await expect.poll(() => next.locator("[aria-live]").allTextContents()).toContain("NESN, Nestlé, 3 of 4");
  await page.goBack();
  await next.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "NESN" }).tap();
  await page.getByRole("dialog", { name: "NESN" }).getByRole("button", { name: "Delete" }).tap();
  // Back outside with the dialog's end.
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Undo" }).tap();
  await waitForRows(page, "AAPL AMD NESN NVDA");
});
