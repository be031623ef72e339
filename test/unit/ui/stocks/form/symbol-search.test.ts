/** When a search is sent while somebody types, and which answers are shown. */
import { describe, expect, it } from "vitest";
import type { FindSymbolOutput } from "../../../../../src/contract/prices/find-symbol.ts";
import {
  type Found,
  makeSymbolSearch,
  PAUSE_MS,
  queryOf,
  sayUnavailable,
} from "../../../../../src/ui/stocks/form/find/symbol-search.ts";

const matchOf = (symbol: string): FindSymbolOutput["matches"][number] => ({
  ...{ symbol, exchange: "XLON", name: symbol, assetType: "stock", currency: "GBX", isin: null, stockId: null },
  ...{ inPlan: true, source: "twelvedata" },
});

/** A search with a clock and a server in the test's hand. */
const aSearch = () => {
  const shown: Found[] = [];
  const asked: { readonly q: string; readonly answer: PromiseWithResolvers<FindSymbolOutput> }[] = [];
  let waiting: (() => void) | undefined;
  const search = makeSymbolSearch({
    ask: (q) => {
      const answer = Promise.withResolvers<FindSymbolOutput>();
      asked.push({ q, answer });
      return answer.promise;
    },
    later: (run, ms) => {
      expect(ms).toBe(PAUSE_MS);
      waiting = run;
      return () => {
        waiting = undefined;
      };
    },
    show: (found) => shown.push(found),
  });
  return {
    search,
    questions: () => asked.map(({ q }) => q),
    texts: () =>
      shown.map(({ q, matches, problem }) => [q, ...matches.map(({ symbol }) => symbol), problem ?? ""].join(" ")),
    /** Nobody types for a while. */
    pause: () => {
      const run = waiting;
      waiting = undefined;
      run?.();
    },
    answer: async (place: number, ...symbols: string[]) => {
      asked[place]?.answer.resolve({ matches: symbols.map(matchOf) });
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    },
    fail: async (place: number, error: Error) => {
      asked[place]?.answer.reject(error);
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    },
  };
};

describe("a search while somebody types", () => {
  it("is sent once they pause, with all they typed", async () => {
    const { search, pause, questions, answer, texts } = aSearch();
    for (const text of ["v", "vo", "vod", "voda"]) search.type(text);
    expect(questions()).toEqual([]);
    pause();
    expect(questions()).toEqual(["voda"]);
    await answer(0, "VOD");
    expect(texts()).toEqual(["voda VOD "]);
  });

  it("is one at a time, and the answer to old words is dropped", async () => {
    const { search, pause, questions, answer, texts } = aSearch();
    search.type("vo");
    pause();
    search.type("vod");
    pause();
    search.type("voda");
    pause();
    expect(questions()).toEqual(["vo"]);
    await answer(0, "OLD");
    expect(questions()).toEqual(["vo", "voda"]);
    expect(texts()).toEqual([]);
    await answer(1, "VOD");
    expect(texts()).toEqual(["voda VOD "]);
  });

  it("waits for the pause although the request before has ended", async () => {
    const { search, pause, questions, answer } = aSearch();
    search.type("vo");
    pause();
    search.type("vod");
    await answer(0, "OLD");
    expect(questions()).toEqual(["vo"]);
    pause();
    expect(questions()).toEqual(["vo", "vod"]);
  });

  it("shows nothing more when it was stopped, and can begin again", async () => {
    const { search, pause, answer, texts, questions } = aSearch();
    search.type("vod");
    pause();
    search.stop();
    await answer(0, "VOD");
    expect(texts()).toEqual([]);
    search.type("vod");
    pause();
    expect(questions()).toEqual(["vod", "vod"]);
  });

  it("shows nothing for what is no name, at once", () => {
    const { search, pause, texts, questions } = aSearch();
    search.type("vod");
    search.type("vod 10 @ 70");
    pause();
    expect(questions()).toEqual([]);
    expect(texts()).toEqual([" "]);
  });

  it("says why there is no answer", async () => {
    const { search, pause, fail, texts } = aSearch();
    search.type("vod");
    pause();
    await fail(0, new Error("The server cannot be reached."));
    expect(texts()).toEqual([
      "vod Search is not available: The server cannot be reached. You can still type any symbol.",
    ]);
    expect(sayUnavailable("budget")).toBe(
      "Search is not available: no requests to the price source are left for now. You can still type any symbol.",
    );
  });
});

it.each([
  ["vodaf", "vodaf"],
  ["  coca   cola ", "coca cola"],
  ["3M", "3M"],
  ["US0378331005", "US0378331005"],
  ["v", ""],
  ["AAPL 10", ""],
  ["AAPL 10 @ 180.5 USD #tech", ""],
  ["SAP #tech", ""],
  ["x".repeat(101), ""],
])("of %j it asks for %j", (text, q) => {
  expect(queryOf(text)).toBe(q);
});
