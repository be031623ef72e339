/** The command palette: opened by its key or from the account's menu, used by keys alone. */
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { say } from "../../support/model-script.ts";

it("goes to a stock, and changes a setting, by keys alone", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "NESN", name: "Nestlé" }, { symbol: "MSFT" }]);
  const page = await desktop("/stocks", { colorScheme: "dark" });
  await page.getByRole("button", { name: "Open NESN" }).or(page.getByText("NESN")).first().waitFor();
  const palette = page.getByRole("dialog", { name: "Quick search" });
  const field = page.getByRole("combobox", { name: "Stock, chat, action or setting" });
  await page.keyboard.press("Control+k");
  await field.waitFor();
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  await page.keyboard.type("nestle");
  const stock = palette.getByRole("option", { name: /NESN/, selected: true });
  await stock.waitFor();
  expect(await field.getAttribute("aria-activedescendant")).toBe(await stock.getAttribute("id"));
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  await page.keyboard.press("Enter");
  await page.waitForURL(/dialog=detail/);
  // The address changes first: only what is open can be closed.
  await page.getByRole("dialog", { name: /NESN/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => !url.search.includes("dialog"));
  await page.keyboard.press("Control+k");
  await field.fill("light");
  await palette.getByRole("option", { name: /Light theme/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await palette.waitFor({ state: "detached" });
  await page.locator("html[data-theme=light]").waitFor();
  await page.keyboard.press("Control+k");
  await field.fill("no such thing");
  const nothing = palette.getByText("Nothing found for “no such thing”.");
  await nothing.waitFor();
  const [entry, said] = [await field.boundingBox(), await nothing.boundingBox()];
  expect((said?.y ?? 0) - (entry?.y ?? 0) - (entry?.height ?? 0)).toBeLessThan(24);
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
});

it("is found in the account's menu of a phone, and its entries are large enough for a thumb", async ({ phone }) => {
  const page = await phone("/", { colorScheme: "light" });
  await page.getByRole("button", { name: /^Account/ }).tap();
  await page.getByRole("button", { name: "Quick search…" }).tap();
  const option = page.getByRole("option", { name: /Go to holdings/ });
  await option.waitFor();
  expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  // Its longest name is read whole on the narrowest phone.
  await page.setViewportSize({ width: 320, height: 740 });
  const longest = page.getByRole("option", { name: /Show reached targets/ }).locator("span");
  await expect.poll(() => longest.evaluate((name) => name.scrollWidth <= name.clientWidth)).toBe(true);
  await option.tap();
  await page.waitForURL("**/stocks?tab=holdings");
});

it("the longest title of a chat is shortened within the dialog", async ({ phone, script, tally }) => {
  const model = await script([say("Done.")]);
  const turn = await tally.startTurn("long", model.prompt(`${"Compare all of my chip stocks ".repeat(5)}`));
  await tally.eventsUntil(turn, "run_end");
  const page = await phone("/stocks");
  await page.getByRole("button", { name: /^Account/ }).tap();
  await page.getByRole("button", { name: "Quick search…" }).tap();
  const option = page.getByRole("option", { name: /Compare all of my chip stocks/ });
  await option.waitFor();
  expect(await option.evaluate((element) => element.getBoundingClientRect().right <= innerWidth)).toBe(true);
});

it("what is marked stays marked when the chats come, and is what Enter runs", async ({ desktop, script, tally }) => {
  const model = await script([say("Done.")]);
  await tally.eventsUntil(await tally.startTurn("one", model.prompt("Compare chips")), "run_end");
  const page = await desktop("/stocks");
  await page.locator(".empty-start").waitFor();
  const listed = Promise.withResolvers<void>();
  await page.route(/\/_framework\/threads(\?|$)/, async (route) => {
    await listed.promise;
    await route.continue();
  });
  await page.reload();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Quick search" });
  await palette.getByRole("option", { name: /Add a stock/, selected: true }).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await palette.getByRole("option", { name: /Light theme/, selected: true }).waitFor();
  listed.resolve();
  await palette.getByRole("option", { name: /Compare chips/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator("html[data-theme=light]").waitFor();
});

it("so does the first one that was found when a better one comes", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "ADDX" }]);
  const page = await desktop("/stocks");
  await page.getByText("ADDX").first().waitFor();
  const listed = Promise.withResolvers<void>();
  await page.route("**/list-stocks*", async (route) => {
    await listed.promise;
    await route.continue();
  });
  await page.reload();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Quick search" });
  await palette.getByRole("combobox").fill("add");
  await palette.getByRole("option", { name: /Add a stock/, selected: true }).waitFor();
  listed.resolve();
  await palette.getByRole("option", { name: /ADDX/ }).waitFor();
  await palette.getByRole("option", { name: /Add a stock/, selected: true }).waitFor();
});
