/** What a change of some stocks reads does not grow with the list they are in. */
import { expect, it } from "vitest";
import { aPerson } from "../../support/workerd/stocks-client.ts";
import { startMeter } from "./cost-meter.ts";

/** Rows that D1 may read for each stock that is changed: the stock, its indexes, its history, the key of the call. */
const MAX_ROWS_A_STOCK = 30;

it("a change reads the stocks it changes, and not all of a long list", async () => {
  const ann = aPerson();
  const batch = (first: number) => Array.from({ length: 100 }, (_, index) => ({ symbol: `S${first + index}` }));
  const [one] = await ann.addSeveral({ items: batch(100) });
  await ann.addSeveral({ items: batch(200) });
  await ann.addSeveral({ items: batch(300) });
  const id = one?.stock?.id ?? "";
  const meter = await startMeter();
  await ann.act("update-stock", { id, set: { notes: "Once." } });
  const changed = await meter.d1([id]);
  expect(changed.rowsRead).toBeLessThanOrEqual(MAX_ROWS_A_STOCK);
  await ann.act("delete-stock", { id });
  expect((await meter.d1([id])).rowsRead - changed.rowsRead).toBeLessThanOrEqual(MAX_ROWS_A_STOCK);
});
