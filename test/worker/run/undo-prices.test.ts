/** Undoing a run that let a source replace a stock's price: the price comes back too, though the source's was copied without an event. */
import { env } from "cloudflare:test";
import { it } from "vitest";
import { callTool, say } from "../../support/model-script.ts";
import { APPLE } from "../../support/price-server/trading-day.ts";
import { runAndUndo } from "../../support/workerd/undo-client.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

it("brings a price back that was typed in, which the run had left to the source", async ({ expect }) => {
  const { add, act, email, wake, list } = await withPrices();
  const { id } = await add({ symbol: "AAPL", exchange: "XNAS" });
  await wake();
  await act("update-stock", { id, set: { lastPrice: "100" } });
  await runAndUndo(email, [callTool("update-stock", { id, set: { autoPrice: true } }), say("Done.")], async () => {
    expect(await list()).toMatchObject([{ lastPrice: "190.5", lastPriceSource: "twelvedata" }]);
  });
  expect(await list()).toMatchObject([{ autoPrice: false, lastPrice: "100", lastPriceSource: "manual" }]);
});

it("brings a price back that was typed in before there was a listing", async ({ expect }) => {
  const { add, email, wake, list } = await withPrices();
  const { id } = await add({ symbol: "AAPL", exchange: "XNAS", lastPrice: "5" });
  const set = { instrument: { symbol: "AAPL", exchange: "XNAS" } };
  await runAndUndo(email, [callTool("update-stock", { id, set }), say("Done.")], async () => {
    await wake();
    expect(await list()).toMatchObject([{ lastPrice: "190.5" }]);
  });
  expect(await list()).toMatchObject([{ instrument: null, lastPrice: "5", lastPriceSource: "manual" }]);
  await wake();
  expect(await list()).toMatchObject([{ instrument: { symbol: "AAPL" }, lastPrice: "5", priceState: "manual" }]);
});

it("takes the price of the former listing again, though the other's is as old", async ({ expect }) => {
  const microsoft = { ...APPLE, symbol: "MSFT", price: "400", previousClose: "395" };
  const { add, email, wake, list } = await withPrices({ listings: [APPLE, microsoft] });
  const { id } = await add({ symbol: "AAPL", exchange: "XNAS" });
  await wake();
  expect(await list()).toMatchObject([{ lastPrice: "190.5" }]);
  const set = { instrument: { symbol: "MSFT", exchange: "XNAS" } };
  await runAndUndo(email, [callTool("update-stock", { id, set }), say("Done.")], async () => {
    await wake();
    expect(await list()).toMatchObject([{ lastPrice: "400" }]);
  });
  expect(await list()).toMatchObject([{ instrument: { symbol: "AAPL" }, lastPrice: "190.5" }]);
});

it("brings a price back that was typed in before the run named the currency of a listing", async ({ expect }) => {
  const { add, email, wake, list } = await withPrices();
  // Without a market it is found by its currency.
  const { id } = await add({ symbol: "AAPL", currency: "EUR", lastPrice: "100" });
  await env.DB.prepare("UPDATE stocks SET last_price_at = ? WHERE id = ?").bind("2026-01-02T10:00:00.000Z", id).run();
  await wake();
  expect(await list()).toMatchObject([{ instrument: null, lastPrice: "100" }]);
  const set = { currency: "USD" };
  await runAndUndo(email, [callTool("update-stock", { id, set }), say("Done.")], async () => {
    await wake();
    expect(await list()).toMatchObject([{ instrument: { symbol: "AAPL" }, lastPrice: "190.5" }]);
  });
  expect(await list()).toMatchObject([
    { currency: "EUR", instrument: null, lastPrice: "100", lastPriceSource: "manual" },
  ]);
});
