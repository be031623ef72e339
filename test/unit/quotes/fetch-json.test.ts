/** Requests to services of prices and rates: what is accepted as an answer, whatever they send. */
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { fetchJson } from "../../../src/quotes/fetch-json.ts";
import { ratesRequest, readRates } from "../../../src/quotes/fx/refresh-rates.ts";
import { priceRoom, type WorldSetting } from "../../support/price-server/price-room.ts";
import { watchTimers } from "../../support/watch-timers.ts";

const FX = { day: "2026-11-20", rates: { USD: 1.1588, GBP: 0.8779 } };

/** What an answer is does not depend on how busy the machine is. */
const NEVER = new AbortController().signal;

const open = async (world: WorldSetting) => {
  const room = priceRoom(inject("priceUrl"));
  await room.set(world);
  return room;
};

const ask = async (world: WorldSetting) => fetchJson(ratesRequest((await open(world)).url), NEVER);

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
    ["labelled", "The service could not be reached, or its answer could not be read."],
  ] as const)("is refused: %s", async (mood, reason) => {
    await expect(ask({ mood })).rejects.toThrow(reason);
  });

  it("that refuses in words is handed over, and no more than their beginning, to whom asked for that", async () => {
    const request = ratesRequest((await open({ mood: "forbidden" })).url);
    await expect(fetchJson(request, NEVER)).rejects.toThrow("The service answered 403 without JSON.");
    const { status, body, text = "" } = await fetchJson({ ...request, refusesInText: true }, NEVER);
    expect([status, body, text.length]).toEqual([403, undefined, 1_000]);
    expect(text).toMatch(/^<html><head><title>403 Forbidden/);
  });

  it("that refuses in JSON is read, whether or not words would be", async () => {
    const request = { ...ratesRequest((await open({ mood: "down" })).url), refusesInText: true } as const;
    expect(await fetchJson(request, NEVER)).toMatchObject({ status: 503, body: { message: "down" } });
  });

  it("is waited for three seconds", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => void timers.mockRestore());
    const room = await open({ mood: "hang" });
    const asked = fetchJson(ratesRequest(room.url));
    const [timeIsUp] = timers.mock.calls.find(([, delayMs]) => delayMs === 3_000) ?? [];
    await expect.poll(room.seen).toHaveLength(1);
    expect(timeIsUp).toBeDefined();
    timeIsUp?.();
    await expect(asked).rejects.toThrow("The service did not answer in time.");
  });

  it("that has come leaves no time limit behind, which would keep the object that asks in memory", async () => {
    const { url } = await open({ fx: FX });
    const timers = watchTimers();
    expect(await fetchJson(ratesRequest(url))).toMatchObject({ status: 200 });
    expect([timers.set(3_000), timers.left(3_000)]).toEqual([1, 0]);
  });

  it("is refused when it has begun in time and does not end", async () => {
    const time = new AbortController();
    const fetching = vi.spyOn(globalThis, "fetch");
    onTestFinished(() => void fetching.mockRestore());
    const { url } = await open({ mood: "drip" });
    const asked = fetchJson(ratesRequest(url), time.signal);
    // Its status and headers have come.
    await fetching.mock.results.at(-1)?.value;
    time.abort();
    await expect(asked).rejects.toThrow("The service did not answer in time.");
  });

  it("of arrays within arrays is no table of rates", async () => {
    const answer = await ask({ mood: "deep" }).catch(() => undefined);
    expect(answer && readRates(answer)).toBeUndefined();
  });

  it("that redirects is not followed", async () => {
    const room = await open({ mood: "redirect" });
    expect((await fetchJson(ratesRequest(room.url), NEVER)).status).toBe(302);
    expect(await room.seen()).toHaveLength(1);
    expect(await priceRoom(inject("priceUrl"), "elsewhere").seen()).toEqual([]);
  });

  it("of nobody is refused, without the address in the message", async () => {
    const refused = fetchJson({ url: "http://127.0.0.1:1/?api_token=secret" }, NEVER);
    await expect(refused).rejects.toThrow(/^The service could not be reached, or its answer could not be read\.$/);
  });
});
