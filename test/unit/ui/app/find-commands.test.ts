/** What the command palette finds, and in which order. */
import { expect, it } from "vitest";
import { ThreadId } from "../../../../src/contract/ids.ts";
import { type Command, findCommands } from "../../../../src/ui/app/palette/commands.ts";
import { stockOf } from "../stocks/form/stock-of.ts";

const command = (id: string, label: string, about?: string): Command => ({ id, label, about, run: () => {} });

const thread = (title: string) => ({
  ...{ threadId: ThreadId.parse(title), title, updatedAt: "2026-11-23T10:00:00.000Z" },
  ...{ activeRunId: null, status: null, costUsd: null },
});

const opened: string[] = [];

const SOURCES = {
  actions: [command("add", "Add a stock", "new"), command("trash", "Open the trash", "deleted")],
  settings: [command("dark", "Dark theme", "colours")],
  stocks: [stockOf({ symbol: "ADDV", name: "Addvantage" }), stockOf({ symbol: "NESN", name: "Nestlé" })],
  threads: ["About Nestlé", "Two", "Three", "Four"].map(thread),
  openStock: (id: string) => opened.push(id),
  openChat: (id: string) => opened.push(id),
};

const labels = (typed: string) =>
  findCommands(typed, SOURCES).map(({ name, commands }) => [name, commands.map(({ label }) => label)]);

it("before anything is typed there are actions, the newest chats and settings", () => {
  expect(labels(" ")).toEqual([
    ["Actions", ["Add a stock", "Open the trash"]],
    ["Chats", ["About Nestlé", "Two", "Three"]],
    ["Settings", ["Dark theme"]],
  ]);
});

it.each([
  [
    "add",
    [
      ["Stocks", ["ADDV"]],
      ["Actions", ["Add a stock"]],
    ],
  ],
  [
    "nestle",
    [
      ["Stocks", ["NESN"]],
      ["Chats", ["About Nestlé"]],
    ],
  ],
  ["theme col", [["Settings", ["Dark theme"]]]],
  ["rash", []],
])("%s finds by the beginnings of words, without accents", (typed, found) => {
  expect(labels(typed)).toEqual(found);
});

it("a chat that was found opens", () => {
  findCommands("two", SOURCES)[0]?.commands[0]?.run();
  expect(opened).toEqual(["Two"]);
});
