/** A person with a stock whose targets the cron tells, and the titles of what it told. */
import { env } from "cloudflare:test";
import { tellTargetHits } from "../../../src/notice/tell-target-hits.ts";
import { withPrices } from "./with-prices.ts";

type Targets = { readonly targetLow?: string; readonly targetHigh?: string };

/** Somebody with Apple at 190.5 from the source, told of its targets. */
export const withApple = async (targets: Targets) => {
  const ann = await withPrices();
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", ...targets });
  await ann.wake();
  await ann.list();
  const { stock } = await ann.act("update-stock", { id, set: { notify: true } });
  return {
    ...ann,
    ...{ id, stock },
    cron: () => tellTargetHits(env, Date.now()),
    /** Changes what is stored of the stock's listing, as its source would. */
    quote: async (column: "price" | "mark" | "as_of", value: string) => {
      await env.DB.prepare(
        `UPDATE quotes SET ${column} = ?1 WHERE instrument_id = (SELECT instrument_id FROM stocks WHERE id = ?2)`,
      )
        .bind(value, id)
        .run();
    },
    told: async () => {
      const notices = env.DB.prepare("SELECT title, url, tag FROM notices WHERE owner_email = ? ORDER BY rowid");
      return (await notices.bind(ann.email).all<{ title: string; url: string; tag: string }>()).results;
    },
    now: async () => (await ann.act("get-stock", { id })).stock,
  };
};

export const LOW = "AAPL is at or below its buy target";
export const HIGH = "AAPL is at or above its sell target";

/** The titles of such notices. */
export const titles = (told: readonly { title: string }[]) => told.map(({ title }) => title);
