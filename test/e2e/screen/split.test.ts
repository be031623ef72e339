/** A split on the screen: the badge, the card that asks, a change from elsewhere in between, Undo, "Not mine", and the agent that proposes it. */
import { expect } from "vitest";
import { allowOnce } from "../../support/browser/answer-card.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { setStockColumn } from "../../support/browser/site-database.ts";
import { callTool, say } from "../../support/model-script.ts";
import { runEnd, sendMessage } from "./agent-page.ts";

const SPLIT = { day: "2026-06-10", numerator: 10, denominator: 1 };

it("is applied after a change from elsewhere, undone, and left alone where it is not theirs", async ({
  phone,
  tally,
  site,
}) => {
  const [held, other, bare] = await tally.seedStocks([
    { symbol: "NVDA", quantity: "25", avgCost: "118.2", targetHigh: "120", lastPrice: "119", currency: "USD" },
    { symbol: "OTHR", quantity: "9", currency: "USD" },
    { symbol: "BARE", currency: "USD" },
  ]);
  const id = held?.id ?? "";
  // Through the source it could not come before the day after the stock was linked.
  for (const stock of [held, other, bare]) setStockColumn(site, stock?.id ?? "", "pending_split", SPLIT);
  const page = await phone("/stocks", { colorScheme: "dark", allow: [/409/] });
  await page.getByRole("listitem").filter({ hasText: "NVDA" }).getByText("split", { exact: true }).waitFor();
  await page.getByRole("link", { name: "NVDA" }).tap();
  const dialog = page.getByRole("dialog");
  const card = dialog.getByRole("region", { name: "Split" });
  await card.getByText("25 × $118.20 becomes 250 × $11.82, targets $120.00 becomes $12.00.").waitFor();
  await expectNoAxeViolations(page);

  const elsewhere = await tally.act("update-stock", { id, set: { notes: "From another device" } });
  await card.getByRole("button", { name: "Apply" }).tap();
  await card.getByText("NVDA has changed since version 1: notes. Read it again.").waitFor();
  await dialog.getByText("From another device").first().waitFor();
  expect((await tally.act("get-stock", { id })).stock.version).toBe(elsewhere.stock.version);
  await card.getByRole("button", { name: "Apply", disabled: false }).tap();
  await card.getByText("The split of NVDA is applied.").waitFor();
  const values = async (of: string) => {
    const { quantity, avgCost, targetHigh, pendingSplit } = (await tally.act("get-stock", { id: of })).stock;
    return { quantity, avgCost, targetHigh, pendingSplit };
  };
  expect(await values(id)).toEqual({ quantity: "250", avgCost: "11.82", targetHigh: "12", pendingSplit: null });

  await card.getByRole("button", { name: "Undo", disabled: false }).tap();
  await card.getByText("25 × $118.20 becomes 250 × $11.82, targets $120.00 becomes $12.00.").waitFor();
  expect(await values(id)).toEqual({ quantity: "25", avgCost: "118.2", targetHigh: "120", pendingSplit: SPLIT });
  await card.getByRole("button", { name: "Apply", disabled: false }).tap();
  await card.getByText("The split of NVDA is applied.").waitFor();
  expect(await values(id)).toEqual({ quantity: "250", avgCost: "11.82", targetHigh: "12", pendingSplit: null });

  await page.goto(`/stocks?dialog=detail&id=${other?.id}`);
  await card.getByText("9 becomes 90.").waitFor();
  await card.getByRole("button", { name: "Not mine" }).tap();
  await card.getByText("The split of OTHR is dismissed.").waitFor();
  expect(await values(other?.id ?? "")).toMatchObject({ quantity: "9", pendingSplit: null });
  await page.goto(`/stocks?dialog=detail&id=${bare?.id}`);
  await card.getByText("BARE split 10:1 on 10 Jun: there is no quantity, cost or target to change.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("listitem").filter({ hasText: "OTHR" }).getByText("split", { exact: true }).waitFor({
    state: "detached",
  });
});

it("is proposed by the agent in the same words, applied when that is allowed, and undone with its turn", async ({
  desktop,
  script,
  tally,
  site,
}) => {
  const [held] = await tally.seedStocks([
    { symbol: "NVDA", quantity: "25", avgCost: "118.2", targetHigh: "120", lastPrice: "119", currency: "USD" },
  ]);
  const id = held?.id ?? "";
  setStockColumn(site, id, "pending_split", SPLIT);
  const model = await script([
    callTool("list-stocks", {}),
    callTool("update-stock", { id, version: 1, split: { day: SPLIT.day, answer: "apply" } }),
    say("Applied."),
  ]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Why did NVIDIA fall so much?"));
  const card = page.getByRole("group", { name: "Apply the split of NVDA?" });
  await card
    .getByText("NVDA split 10:1 on 10 Jun: 25 × $118.20 becomes 250 × $11.82, targets $120.00 becomes $12.00.")
    .waitFor();
  await expectNoAxeViolations(page);
  await allowOnce(page);
  await runEnd(page).waitFor();
  const values = async () => {
    const { quantity, avgCost, targetHigh, pendingSplit } = (await tally.act("get-stock", { id })).stock;
    return { quantity, avgCost, targetHigh, pendingSplit };
  };
  expect(await values()).toEqual({ quantity: "250", avgCost: "11.82", targetHigh: "12", pendingSplit: null });
  await page.getByRole("button", { name: "Undo changes" }).click();
  const dialog = page.getByRole("dialog", { name: "Undo changes" });
  await dialog.getByRole("button", { name: "Undo", exact: true }).click();
  await dialog.getByText("has got its former values back").waitFor();
  expect(await values()).toEqual({ quantity: "25", avgCost: "118.2", targetHigh: "120", pendingSplit: SPLIT });
});
