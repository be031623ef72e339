/** `npm run dev -- --demo` from outside: a list with prices that say they are not real, put in once, and nothing that stays running. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_LIST } from "../../src/contract/prices/example-list.ts";
import { isGroupRunning } from "../../src/process/process-group.ts";
import { tallyClient } from "../support/browser/tally-client.ts";
import { type DevServer, startDevServer } from "../support/dev-server.ts";

/** A start takes 5 s on a free machine; a test here has one or two. */
const START_MS = 300_000;

let dir: string;
let running: DevServer | undefined;

const start = async (): Promise<DevServer> => {
  running = await startDevServer({
    persistTo: join(dir, "state"),
    args: ["--demo"],
    env: { AGENT_WORKSPACE_DIR: dir },
  });
  return running;
};

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "tally-demo-"));
});

afterAll(async () => {
  await running?.killGroup();
  await rm(dir, { recursive: true, force: true });
});

describe("a demo", { timeout: START_MS }, () => {
  it("has a dozen stocks with prices, closes and their source, with nothing allowed to leave the machine", async () => {
    const server = await start();
    expect(server.output()).toContain("\nPrices: a demo. They move, and are not real.\n");
    const { act } = tallyClient(server.url);
    const listed = async () => (await act("list-stocks", { spark: true })).items;
    const withLine = async () => (await listed()).filter(({ spark }) => spark?.length === 30).length;
    // They are fetched behind the start.
    await expect.poll(withLine, { timeout: START_MS }).toBe(12);
    const items = await listed();
    expect(new Set(items.map(({ symbol }) => symbol))).toEqual(new Set(EXAMPLE_LIST.map(({ symbol }) => symbol)));
    expect(new Set(items.map(({ lastPriceSource }) => lastPriceSource))).toEqual(new Set(["demo"]));
    expect(new Set(items.map(({ instrument }) => instrument?.source))).toEqual(new Set(["demo"]));
    const { history } = await act("get-stock", { symbol: "VOD", history: "5y" });
    expect(history).toMatchObject({ currency: "GBX", source: "demo" });
    // Three currencies, one total.
    await expect
      .poll(async () => (await act("list-stocks", {})).base, { timeout: START_MS })
      .toMatchObject({ missing: [], ratesOn: "2026-01-02" });
    const settings = await fetch(`${server.url}/_framework/settings`);
    expect(await settings.json()).toMatchObject({
      quotes: { source: "demo", licence: "display", attribution: { text: "Demo prices, not real", url: null } },
    });
  });

  it("ends with everything it started, and does not put back what was taken away", async () => {
    const server = running ?? (await start());
    const { act } = tallyClient(server.url);
    const { items } = await act("list-stocks", {});
    await act("delete-stock", { ids: items.slice(1).map(({ id }) => id) });
    expect(await server.stop()).toBe(0);
    expect(isGroupRunning(server.groupId)).toBe(false);
    expect(isGroupRunning(server.record.wranglerGroupId)).toBe(false);
    const again = tallyClient((await start()).url);
    expect((await again.act("list-stocks", {})).total).toBe(1);
  });
});
