/** A D1 that never answers the object of a key: in it one piece of work waits for another. */
import { env } from "cloudflare:test";
import { expect, it, onTestFinished } from "vitest";
import { D1_LIMIT_MS } from "../../../src/db/db.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { APPLE } from "../../support/price-server/trading-day.ts";
import { holdTimers } from "../../support/workerd/held-timers.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

it("holds up neither what is asked for next nor the alarm", async () => {
  const ann = await withPrices({ listings: [APPLE] });
  await ann.addSeveral({ items: [{ symbol: "AAPL", exchange: "XNAS", quantity: "1" }] });
  await ann.wake();
  const { promise: silence, resolve: endSilence } = Promise.withResolvers<void>();
  onTestFinished(() => endSilence());
  let isSilent = false;
  let asked = 0;
  aroundMethod(Object.getPrototypeOf(env.DB.withSession()), "_wrappedFetch", (_, args, call) => {
    if (!isSilent || !JSON.stringify(args[1]).includes(ann.scope)) return call();
    asked += 1;
    return silence;
  });
  await ann.forget();
  const timers = holdTimers(D1_LIMIT_MS);
  isSilent = true;
  const looking = ann.wake().then(
    () => "done",
    () => "given up",
  );
  await expect.poll(() => asked).toBeGreaterThan(0);
  isSilent = false;
  await timers.ring(ann.object);
  expect(await looking).toBe("given up");
  await ann.forget();
  await ann.room.set({ listings: [{ ...APPLE, price: "200" }] });
  await ann.wake();
  expect(await ann.quietList()).toMatchObject([{ lastPrice: "200" }]);
});
