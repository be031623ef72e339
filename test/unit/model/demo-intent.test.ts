/** What the demo model understands: each way of asking, and the wish it is. */
import { describe, expect, it } from "vitest";
import { readWish, type Wish } from "../../../src/model/demo/demo-intent.ts";

const call = (tool: string, input: Record<string, unknown> = {}): Wish => ({ type: "call", tool, input });
const add = (input: Record<string, unknown>) => call("add-stock", input);
const watch = (symbol: string, target: Record<string, unknown> = {}, add = {}): Wish => ({
  ...{ type: "watch_stock", symbol, add },
  set: { watched: true, ...target },
});
const update = (symbol: string, set: Record<string, unknown>): Wish => ({ type: "update_stock", symbol, set });

describe("stocks", () => {
  it.each<[string, Wish]>([
    ["add AAPL", add({ symbol: "AAPL" })],
    ["add 10 AAPL at 180", add({ symbol: "AAPL", quantity: "10", avgCost: "180" })],
    [
      "Please add 10.5 shares of brk.b at 1,250.50 EUR!",
      add({ symbol: "BRK.B", quantity: "10.5", avgCost: "1250.50", currency: "EUR" }),
    ],
    ["buy 3 sap.de @ €120 to my list", add({ symbol: "SAP.DE", quantity: "3", avgCost: "120", currency: "EUR" })],
    ["add 2 ^GSPC", add({ symbol: "^GSPC", quantity: "2" })],
    ["watch NVDA", watch("NVDA")],
    ["Watch NVDA below 120", watch("NVDA", { targetLow: "120" })],
    ["follow nvda over $190", watch("NVDA", { targetHigh: "190" }, { currency: "USD" })],
    ["Which targets are hit?", call("list-stocks", { targetHit: true })],
    ["Which targets are reached?", call("list-stocks", { targetHit: true })],
    ["What changed this week?", { type: "recent_changes", days: 7 }],
    ["what has changed today", { type: "recent_changes", days: 1 }],
    ["what changed lately", { type: "recent_changes", days: undefined }],
    ["What can you do here?", { type: "help" }],
    ["add nvda to my watchlist", watch("NVDA")],
    ["What do I own?", call("list-stocks", { status: "holding" })],
    ["show me my portfolio", call("list-stocks", { status: "holding" })],
    ["list my stocks", call("list-stocks")],
    ["show my watchlist, please.", call("list-stocks", { watched: true })],
    ["find stocks apple", call("list-stocks", { q: "apple" })],
    ["show AAPL", call("get-stock", { symbol: "AAPL" })],
    ["delete TSLA", { type: "delete_stock", symbol: "TSLA" }],
    ["can you remove tsla from my watchlist?", { type: "delete_stock", symbol: "TSLA" }],
    ["set AAPL target low 150", update("AAPL", { targetLow: "150" })],
    ["set AAPL target  low 150", update("AAPL", { targetLow: "150" })],
    ["set the target high of AAPL to $220", update("AAPL", { targetHigh: "220" })],
    ["update AAPL quantity to 12", update("AAPL", { quantity: "12" })],
    ["update AAPL price 200", update("AAPL", { lastPrice: "200" })],
    ["set AAPL quantity to a dozen", update("AAPL", { quantity: "a dozen" })],
    ["set AAPL's name to Apple Inc", update("AAPL", { name: "Apple Inc" })],
    ["update AAPL note: Wait for Q4, please!", update("AAPL", { notes: "Wait for Q4, please!" })],
    ["stop watching NVDA", update("NVDA", { watched: false })],
  ])("%s", (prompt, wish) => {
    expect(readWish(prompt)).toEqual(wish);
  });
});

describe("the screen", () => {
  it.each<[string, Wish]>([
    ["what am I looking at?", call("view-screen")],
    ["go to stocks", call("navigate", { view: "stocks" })],
    ["open the chat", call("navigate", { view: "chat" })],
    ["go to my Watchlist", call("navigate", { view: "stocks", tab: "watchlist" })],
    ["open AAPL", { type: "open_stock", symbol: "AAPL" }],
  ])("%s", (prompt, wish) => {
    expect(readWish(prompt)).toEqual(wish);
  });
});

describe("files and commands", () => {
  it.each<[string, Wish]>([
    ["read notes.md", call("read_file", { path: "notes.md" })],
    ["what's in src/app.ts?", call("read_file", { path: "src/app.ts" })],
    ["Open README.md", call("read_file", { path: "README.md" })],
    ["list files", call("list_files")],
    ["list files in src", call("list_files", { path: "src" })],
    ["search TODO", call("search_files", { pattern: "TODO" })],
    ["search for two words", call("search_files", { pattern: "two words" })],
    ["write notes.md: Hello, world!\nBye.", call("write_file", { path: "notes.md", content: "Hello, world!\nBye." })],
    ["delete notes.md", call("delete_file", { path: "notes.md" })],
    ["run ls -la", call("run_shell", { command: "ls -la" })],
    ["Run `echo please!`", call("run_shell", { command: "echo please!" })],
  ])("%s", (prompt, wish) => {
    expect(readWish(prompt)).toEqual(wish);
  });
});

describe("anything else", () => {
  it("is unknown at once, however many blanks are in it", () => {
    expect(readWish(`run${" ".repeat(100_000)}a\`b`)).toEqual({ type: "unknown" });
  });

  it.each(["", "hello", "write a poem", "what is love", "add 10 AAPL at the money", "?"])("%j is unknown", (prompt) => {
    expect(readWish(prompt)).toEqual({ type: "unknown" });
  });
});
