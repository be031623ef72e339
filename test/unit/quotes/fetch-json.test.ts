/** Requests to services of prices and rates: what is accepted as an answer, whatever they send. */
import { describe, expect, inject, it } from "vitest";
import { fetchJson } from "../../../src/quotes/fetch-json.ts";
import { ratesRequest, readRates } from "../../../src/quotes/fx/refresh-rates.ts";
import { priceRoom, type WorldSetting } from "../../support/price-server/price-room.ts";

const FX = { day: "2026-11-20", rates: { USD: 1.1588, GBP: 0.8779 } };

const ask = async (world: WorldSetting) => {
  const room = priceRoom(inject("priceUrl"));
  await room.set(world);
  return await fetchJson(ratesRequest(room.url));
};

describe("an answer", () => {
  it("is read with its status", async () => {
    expect(readRates(await ask({ fx: FX }))).toEqual({ day: "2026-11-20", rates: { USD: "1.1588", GBP: "0.8779" } });
  });

  it("of another status is no table of rates", async () => {
    expect(readRates(await ask({ mood: "down", fx: FX }))).toBeUndefined();
  });

  it.each([
    ["html", "The service answered 200 without JSON."],
    ["large", "The answer of the service is too long."],
    ["cut", "The service could not be reached, or its answer could not be read."],
    ["hang", "The service did not answer in time."],
    ["drip", "The service did not answer in time."],
    ["labelled", "The service could not be reached, or its answer could not be read."],
  ] as const)("is refused: %s", async (mood, reason) => {
    await expect(ask({ mood })).rejects.toThrow(reason);
  });

  it("of arrays within arrays is no table of rates", async () => {
    const answer = await ask({ mood: "deep" }).catch(() => undefined);
    expect(answer && readRates(answer)).toBeUndefined();
  });

  it("that redirects is not followed", async () => {
    const room = priceRoom(inject("priceUrl"));
    await room.set({ mood: "redirect" });
    expect((await fetchJson(ratesRequest(room.url))).status).toBe(302);
    expect(await room.seen()).toHaveLength(1);
    expect(await priceRoom(inject("priceUrl"), "elsewhere").seen()).toEqual([]);
  });

  it("of nobody is refused, without the address in the message", async () => {
    const refused = fetchJson({ url: "http://127.0.0.1:1/?api_token=secret" });
    await expect(refused).rejects.toThrow(/^The service could not be reached, or its answer could not be read\.$/);
  });
});
