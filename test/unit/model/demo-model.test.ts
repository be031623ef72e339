/** The demo model in whole turns: which tools it calls, in which order, and what it makes of their results. */
import { describe, expect, it } from "vitest";
import { StockId } from "../../../src/contract/ids.ts";
import type { Stock } from "../../../src/contract/stocks/stock.ts";
import { repairTurn } from "../../../src/harness/anthropic/keep-turn.ts";
import { demoModel } from "../../../src/model/demo/demo-model.ts";
import type { Message } from "../../../src/model/messages.ts";
import { ask, collect } from "../../support/ask-model.ts";
import { talkToDemo } from "../../support/talk-to-demo.ts";

const id = StockId.parse("01939d3c-5b00-7000-8000-000000000001");

const stock = (overrides: Partial<Stock> = {}): Stock => ({
  id,
  symbol: "TSLA",
  name: "Tesla",
  exchange: null,
  isin: null,
  assetType: "stock",
  currency: "USD",
  quantity: "10",
  avgCost: "180",
  watched: false,
  targetLow: null,
  targetHigh: null,
  lastPrice: null,
  lastPriceAt: null,
  lastPriceSource: null,
  sector: null,
  tags: [],
  notes: null,
  status: "holding",
  marketValue: null,
  costBasis: "1800",
  gain: null,
  gainPct: null,
  targetState: null,
  distanceToTargetPct: null,
  ...{ dayChange: null, dayChangePct: null, priceState: "none", autoPrice: true, instrument: null, pendingSplit: null },
  ...{ notify: false, lastAlert: null },
  version: 4,
  updatedVia: "agent",
  createdAt: "2026-11-20T10:00:00.000Z",
  updatedAt: "2026-11-20T10:00:00.000Z",
  deletedAt: null,
  ...overrides,
});

const found = { stock: stock(), events: [] };

describe("a turn", () => {
  it("adds a stock with one call and says what was added", async () => {
    const { calls, answer } = await talkToDemo("add 10 TSLA at 180", { "add-stock": { stock: stock() } });
    expect(calls).toEqual([{ name: "add-stock", input: { symbol: "TSLA", quantity: "10", avgCost: "180" } }]);
    expect(answer).toBe("Added: **TSLA** (Tesla): 10 held at 180 USD");
  });

  it("deletes by the id it looked up", async () => {
    const { calls, answer } = await talkToDemo("delete TSLA", {
      "get-stock": found,
      "delete-stock": { deleted: [id] },
    });
    expect(calls).toEqual([
      { name: "get-stock", input: { symbol: "TSLA" } },
      { name: "delete-stock", input: { id } },
    ]);
    expect(answer).toBe("Deleted. It stays in the trash for 30 days.");
  });

  it("deletes nothing when the stock is not found", async () => {
    const tools = { "get-stock": new Error("Stock not found."), "delete-stock": "" };
    const { calls, answer } = await talkToDemo("delete TSLA", tools);
    expect(calls.map((call) => call.name)).toEqual(["get-stock"]);
    expect(answer).toBe("That didn't work: Stock not found.");
  });

  it("updates on the version it read", async () => {
    const changed = { stock: stock({ targetLow: "150", version: 5 }) };
    const { calls, answer } = await talkToDemo("set TSLA target low 150", {
      "get-stock": found,
      "update-stock": changed,
    });
    expect(calls.at(-1)).toEqual({ name: "update-stock", input: { id, version: 4, set: { targetLow: "150" } } });
    expect(answer).toBe("Changed: **TSLA** (Tesla): 10 held at 180 USD, buy target 150");
  });

  it("opens a stock by the id it looked up", async () => {
    const { calls, answer } = await talkToDemo("open TSLA", { "get-stock": found, navigate: {} });
    expect(calls.at(-1)).toEqual({ name: "navigate", input: { view: "stocks", stockId: id } });
    expect(answer).toBe("Done.");
  });

  it("lists what is held with its worth", async () => {
    const items = [
      stock({ marketValue: "2000", gainPct: "11.1111111111" }),
      stock({ symbol: "MSFT", name: "MSFT", marketValue: "1670", gainPct: "-7.2222222222" }),
      stock({ symbol: "NVDA", name: "NVDA", quantity: null, avgCost: null, watched: true }),
    ];
    const totals = [{ currency: "USD", cost: "1800", value: "2000.0049", gain: "200" }];
    const { answer } = await talkToDemo("what do I own", {
      "list-stocks": { items, total: 4, nextCursor: "x", totals },
    });
    expect(answer).toBe(
      [
        "- **TSLA** (Tesla): 10 held at 180 USD, worth 2,000 USD, 11.11 % gain",
        "- **MSFT**: 10 held at 180 USD, worth 1,670 USD, 7.22 % loss",
        "- **NVDA**: on the watchlist",
        "- and 1 more",
        "",
        "Together worth 2,000 USD.",
      ].join("\n"),
    );
  });

  it.each([
    ["list my stocks", "Your list is empty."],
    ["what do I own", "You hold no stocks yet."],
    ["show my watchlist", "Your watchlist is empty."],
    ["which targets are hit", "No target has been reached."],
    ["find stocks apple", "There aren't any."],
    ["what changed this week", "Nothing was changed this week."],
  ])("says to %j that there is nothing", async (prompt, answer) => {
    const empty = { items: [], total: 0, nextCursor: null, totals: [] };
    expect((await talkToDemo(prompt, { "list-stocks": empty })).answer).toContain(answer);
  });

  it("changes the target of a stock that is held, and adds one that is not in the list", async () => {
    const changed = { stock: stock({ targetLow: "120", version: 5 }) };
    const held = await talkToDemo("watch TSLA below 120", { "get-stock": found, "update-stock": changed });
    expect(held.calls).toEqual([
      { name: "get-stock", input: { symbol: "TSLA" } },
      { name: "update-stock", input: { id, version: 4, set: { watched: true, targetLow: "120" } } },
    ]);
    const unknown = new Error("Stock not found.");
    const added = await talkToDemo("watch TSLA below $120", { "get-stock": unknown, "add-stock": changed });
    expect(added.calls.at(-1)).toEqual({
      name: "add-stock",
      input: { symbol: "TSLA", watched: true, targetLow: "120", currency: "USD" },
    });
  });

  it("tells what was changed from the stocks' histories, newest first", async () => {
    const event = (at: string, part: Record<string, unknown>) => ({
      ...{ id, action: "update", via: "screen", runId: null, version: 2, before: null, after: {}, at },
      ...part,
    });
    const events = [
      event("2026-11-22T10:00:00.000Z", { via: "agent", before: { targetLow: null }, after: { targetLow: "150" } }),
      event("2026-11-20T10:00:00.000Z", { action: "add" }),
    ];
    const { calls, answer } = await talkToDemo("what changed", {
      "list-stocks": { items: [stock({})], total: 1, nextCursor: null, totals: [] },
      "get-stock": { stock: stock({}), events },
    });
    expect(calls.map(({ name }) => name)).toEqual(["list-stocks", "get-stock"]);
    expect(answer).toBe(
      [
        "Changed so far, newest first:",
        "",
        "- **TSLA** buy target none → 150 (2026-11-22, by the agent)",
        "- **TSLA** added (2026-11-20)",
      ].join("\n"),
    );
  });

  describe("of what changed today", () => {
    const times = ["2026-11-19T06:00:00Z", "2026-11-19T12:00:00Z", "2026-11-20T01:00:00Z"];
    const events = times.map((at) => ({
      ...{ id, action: "update", via: "screen", runId: null, version: 2, before: null, after: {}, at },
    }));
    const tools = {
      "list-stocks": { items: [stock({})], total: 1, nextCursor: null, totals: [] },
      "get-stock": { stock: stock({}), events },
    };
    const changesBehind = async (line: string, earlier: readonly Message[] = []) => {
      const { answer } = await talkToDemo("what changed today", tools, earlier, `<context>\n${line}\n</context>`);
      return answer.match(/^- /gm)?.length;
    };

    it.each([
      ["Today is 2026-11-20 (UTC).", 1],
      ["Today is 2026-11-20, Friday. It is 14:30 in the person's time zone, Pacific/Auckland.", 2],
      ["Today is 2026-11-19, Thursday. It is 23:30 in the person's time zone, America/New_York.", 3],
    ])("takes those since the person's midnight, with %j", async (line, count) => {
      expect(await changesBehind(line)).toBe(count);
    });

    it("takes those of the turn's own day, also where the turn before it was stopped", async () => {
      const asked: Message = {
        role: "user",
        content: [
          { type: "text", text: "<context>\nToday is 2026-11-01 (UTC).\n</context>", isOurs: true },
          { type: "text", text: "add AAPL" },
        ],
      };
      const call = { type: "tool_use", id: "demo_1", name: "add-stock", input: {} } as const;
      const atCard = repairTurn([asked, { role: "assistant", content: [call] }]);
      const today = "Today is 2026-11-20 (UTC).";
      expect([await changesBehind(today, atCard), await changesBehind(today, [asked])]).toEqual([1, 1]);
    });
  });

  it("says that a person rejected a call", async () => {
    const rejected = new Error("The person rejected this call. They said: not today");
    const { answer } = await talkToDemo("add TSLA", { "add-stock": rejected });
    expect(answer).toBe("You rejected it.");
  });

  it("shows a file inside a fence that the file cannot close", async () => {
    const { answer } = await talkToDemo("read notes.md", { read_file: "a\n```\nb" });
    expect(answer).toBe("Here is `notes.md`:\n\n````\na\n```\nb\n````");
  });

  it("shows output as it is when it is not what the tool promises", async () => {
    const { answer } = await talkToDemo("list my stocks", { "list-stocks": '{"items":[{"symb [cut]' });
    expect(answer).toBe('```\n{"items":[{"symb [cut]\n```');
  });

  it("says when the tool it needs is not offered", async () => {
    const { calls, answer } = await talkToDemo("run ls", { read_file: "" });
    expect(calls).toEqual([]);
    expect(answer).toContain("This needs the tool `run_shell`, which I don't have here.");
  });

  it("gives examples when it does not understand", async () => {
    const { answer } = await talkToDemo("write me a poem", {});
    expect(answer).toContain('"add 10 AAPL at 180"');
  });
});

describe("a conversation", () => {
  it("starts with what the model is, and says so once", async () => {
    const first = await talkToDemo("hello", {});
    expect(first.answer).toMatch(/^I'm the demo model: /);
    const second = await talkToDemo("hello", {}, first.messages);
    expect(second.answer).toMatch(/^I didn't understand that\. /);
  });

  it("never uses a call's id twice", async () => {
    const first = await talkToDemo("delete TSLA", { "get-stock": found, "delete-stock": {} });
    const second = await talkToDemo("delete TSLA", { "get-stock": found, "delete-stock": {} }, first.messages.slice(2));
    const ids = second.messages.flatMap(({ content }) => content.flatMap((b) => (b.type === "tool_use" ? [b.id] : [])));
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
  });
});

describe("the stream", () => {
  it("is the Messages API's own, word by word", async () => {
    const events = await collect(
      demoModel,
      ask("hello", { messages: (await talkToDemo("hello", {})).messages.slice(0, 1) }),
    );
    const words = events.filter((event) => event.type === "content_block_delta");
    expect(events.map((event) => event.type)).toEqual([
      "message_start",
      "content_block_start",
      ...words.map((event) => event.type),
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(words.slice(0, 2)).toEqual([
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "I'm " } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "the " } },
    ]);
  });

  it("is the same for the same conversation", async () => {
    expect(await collect(demoModel, ask("delete TSLA"))).toEqual(await collect(demoModel, ask("delete TSLA")));
  });

  it("ends early, without error, when it is aborted", async () => {
    const abort = new AbortController();
    const events = await collect(demoModel, ask("hello"), abort.signal, () => abort.abort());
    expect(events.map((event) => event.type)).toEqual(["message_start"]);
  });

  it("runs side by side with another", async () => {
    const order: string[] = [];
    await Promise.all([
      collect(demoModel, ask("hello"), undefined, () => order.push("a")),
      collect(demoModel, ask("hello"), undefined, () => order.push("b")),
    ]);
    expect(order.slice(0, 6)).toEqual(["a", "b", "a", "b", "a", "b"]);
  });
});
