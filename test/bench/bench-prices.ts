/**
 * Measures what a price source that fails costs the list it is for: people whose source hangs, refuses or lies, and as many without
 * a source on a server of their own, read the same list in turns.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type Draft, sampleStocks } from "../support/browser/stock-samples.ts";
import { signIn } from "../support/dev-client.ts";
import { type DevServer, startDevServer } from "../support/dev-server.ts";
import { priceRoom, type WorldSetting } from "../support/price-server/price-room.ts";
import { startPriceServer } from "../support/price-server/price-server.ts";
import { getText, postJson, type Signed } from "./http-client.ts";
import type { Result } from "./report.ts";
import type { Stops } from "./stops.ts";

/** Stocks of the list that is read. */
const STOCKS = 100;

/** Reads of each list in a round: on a calm machine all of them end before a source that hangs is given up, after 3 s. */
const READS = 60;

const STARTED = "2026-11-20T15:00:00Z";

/** What a source that lies says of a stock: every other one costs a thousandth of its last close, the rest are in another currency. */
const lieAbout = ({ symbol, exchange, currency }: Draft, place: number) => ({
  ...{ symbol, mic: exchange ?? "XNAS", name: symbol, at: Date.parse(STARTED) / 1_000 },
  ...{ currency: place % 2 === 0 ? (currency ?? "USD") : "XXX", price: "1", previousClose: "1000" },
});

const LIST = sampleStocks(STOCKS);

/** How the source of each person treats them, once it has taken their key. */
const TROUBLES = {
  hangs: { mood: "hang" },
  refuses: { mood: "down" },
  lies: { listings: LIST.map(lieAbout) },
} as const satisfies Record<string, WorldSetting>;

/** A list that can be read, as one person's. `wasAsked`: whether its source was asked since it fails. */
type Reader = { read(): Promise<string>; wasAsked(): Promise<boolean> };

/** Runs `rounds` rounds after one that warms up; a sample is one read. Everybody is somebody new in each, since a source that has failed is left alone for a while. */
export const benchPrices = async (rounds: number, stops: Stops): Promise<Result[]> => {
  const prices = await startPriceServer();
  stops.add(prices.close);
  await priceRoom(prices.url, "rates").set({ fx: { day: STARTED.slice(0, 10), rates: { USD: 1.25, GBP: 0.8 } } });
  const [without, server] = [await startServer(prices.url, stops), await startServer(prices.url, stops)];
  const kinds = Object.entries(TROUBLES).map(([name, trouble]) => ({
    ...{ name, trouble, samples: { floor: [] as number[], product: [] as number[] } },
  }));
  for (let round = 0; round <= rounds; round += 1) {
    process.stderr.write(`prices, round ${round} of ${rounds}\n`);
    const sides = [];
    for (const { name, trouble, samples } of kinds) {
      sides.push({ name, reader: await readerWithout(without), taken: samples.floor });
      sides.push({ name, reader: await readerWith(server, prices.url, trouble), taken: samples.product });
    }
    const durations = await measureRound(sides.map(({ reader }) => reader));
    for (const [place, { name, reader, taken }] of sides.entries()) {
      if (!(await reader.wasAsked())) throw new Error(`The source that ${name} was not asked.`);
      if (round > 0) taken.push(...(durations[place] ?? []));
    }
  }
  const bound = { of: "floor", is: "at most", value: 1.1 } as const;
  return kinds.map(({ name, samples }) => ({
    budget: { name: `list-stocks, its source ${name}, p50 (floor: no source)`, unit: "ms", bound },
    samples,
  }));
};

/** With sign-in, and with the price server as all sources there are. */
const startServer = async (pricesUrl: string, stops: Stops): Promise<DevServer> => {
  const persistTo = await mkdtemp(join(tmpdir(), "tally-prices-"));
  const server = await startDevServer({
    ...{ persistTo, args: ["--auth"] },
    env: {
      ...{ OFFLINE: "", NOTICES_PAUSED: "true" },
      ...{ TWELVEDATA_BASE_URL: `${pricesUrl}/by-key`, FX_BASE_URL: `${pricesUrl}/rates` },
    },
  });
  stops.add(async () => {
    await server.stop();
    await rm(persistTo, { recursive: true, force: true });
  });
  return server;
};

/** Signs somebody new in, who has the list. */
const newPerson = async ({ url, line }: DevServer): Promise<Signed> => {
  const signed = { cookie: await signIn({ url, line }, `${crypto.randomUUID()}@example.com`) };
  await postJson(z.unknown(), `${url}/_framework/actions/add-stock`, { items: LIST }, signed);
  return signed;
};

const listOf = ({ url }: DevServer, signed: Signed): Promise<string> =>
  getText(`${url}/_framework/actions/list-stocks?limit=${STOCKS}`, signed);

const readerWithout = async (server: DevServer): Promise<Reader> => {
  const signed = await newPerson(server);
  return { read: () => listOf(server, signed), wasAsked: async () => true };
};

/** Somebody whose source has taken their key and fails from then on. */
const readerWith = async (server: DevServer, pricesUrl: string, trouble: WorldSetting): Promise<Reader> => {
  const signed = await newPerson(server);
  const room = priceRoom(pricesUrl);
  const body = JSON.stringify({ source: "twelvedata", key: room.key });
  const headers = { ...signed, "content-type": "application/json" };
  const taken = await fetch(`${server.url}/_framework/settings/quotes-key`, { method: "PUT", headers, body });
  if (taken.status !== 200) throw new Error(`The key was not taken: ${taken.status}`);
  await room.set(trouble);
  const before = (await room.seen()).length;
  return { read: () => listOf(server, signed), wasAsked: async () => (await room.seen()).length > before };
};

/** How long each reader's reads took, in ms. Read by read in turns: what else the machine does meets all of them. */
const measureRound = async (readers: readonly Reader[]): Promise<number[][]> => {
  const durations = readers.map((): number[] => []);
  for (let nth = 0; nth < READS; nth += 1) {
    for (let step = 0; step < readers.length; step += 1) {
      // Each turn begins with the next one, so that nobody always comes after the same.
      const place = (nth + step) % readers.length;
      const startMs = performance.now();
      await readers[place]?.read();
      durations[place]?.push(performance.now() - startMs);
    }
  }
  return durations;
};
