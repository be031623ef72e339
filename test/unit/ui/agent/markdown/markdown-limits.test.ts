/** Markdown that a model could freeze the page with: what is read of it, and how much is made of it. */
import { describe, expect, it } from "vitest";
import { judgeLink } from "../../../../../src/ui/agent/markdown/judge-link.ts";
import { advanceDocument, EMPTY_DOCUMENT } from "../../../../../src/ui/agent/markdown/markdown-document.ts";
import { vnodeHtml } from "../../../../support/ui/vnode-html.ts";

const htmlOf = (text: string, isOpen: boolean): string =>
  vnodeHtml(advanceDocument(EMPTY_DOCUMENT, text, isOpen).blocks.map(({ vnode }) => vnode));

const whole = (text: string): string => htmlOf(text, false);

const count = (html: string, part: string): number => html.split(part).length - 1;

const ROOM = 100_000;

const filled = (unit: string): string => unit.repeat(ROOM / unit.length);

describe("a text of 100,000 characters is read to its end", () => {
  it.each([
    ["an unbroken word before an @", `${filled("aB3x+")}@`],
    ["the words of a link", `[${filled("a")}](http://x.y)`],
    ["exclamation marks", filled("!")],
    ["emphasis around addresses", filled("**http://")],
    ["emphasis in brackets", filled("[a]_a")],
    ["brackets behind an address", `http://a${filled(")")}_`],
    ["stars before a letter", `${filled("*")}a`],
    ["backticks between letters", `a${filled("`")}a`],
    ["half a line of HTML", `a${filled("<div\n")}`],
    ["lines of a list's item", `- a\n${filled("b\n")}`],
    ["tables and quotes", filled("|a|\n|-|\n> > b\n")],
    ["heads of tables that are none", filled("|a|b|\n|-|\n")],
    ["quotes of lists", filled("> - a\nb\n")],
  ])("%s", (_, text) => {
    expect(whole(text).length).toBeGreaterThan(ROOM / 4);
    expect(htmlOf(text, true).length).toBeGreaterThan(ROOM / 4);
  });

  it("a word that a link is judged by", () => {
    expect(judgeLink(filled("a"), "http://x.y/").doubt).toBeUndefined();
    expect(judgeLink(`${filled("a")}.com`, "http://x.y/").doubt).toBe("otherPlace");
  });
});

it("a mail address is a link if its name has at most 64 characters", () => {
  expect(whole(`${"a".repeat(64)}@b.de`)).toContain("mailto:");
  expect(whole(`${"a".repeat(70)}@b.de`)).toBe(`<p>${"a".repeat(70)}@b.de</p>`);
});

it("a long paragraph keeps the emphasis within its sentences, and loses what begins a page earlier", () => {
  expect(count(whole("You own **two** stocks. ".repeat(200)), "<strong>two</strong>")).toBe(200);
  expect(whole(`**a ${"word ".repeat(1_000)}b**`)).not.toContain("<strong>");
  expect(whole("**a** *b* _c_ ".repeat(300))).toBe(`<p>${"<strong>a</strong> <em>b</em> <em>c</em> ".repeat(300)}</p>`);
});

it("a long word keeps its characters where it is cut", () => {
  expect(whole(`a${"👋".repeat(2_500)}`)).toBe(`<p>a${"👋".repeat(2_500)}</p>`);
});

it("a long list goes on with its own numbers", () => {
  const items = Array.from({ length: 1_500 }, (_, index) => `${index + 1}. Item of a list\n`).join("");
  expect(count(whole(items), "<li>")).toBe(1_500);
  expect(whole(items)).toMatch(/<ol dir="auto" start="\d+">/);
});

/** The same text after a first item of several lengths: a cut behind so many characters falls into each part of an item. */
const shifted = (item: string, text: string): string[] =>
  Array.from({ length: 12 }, (_, nth) => whole(item.replace("first", "f".repeat(1 + 7 * nth)) + text));

it.each([
  ["with lists in its items", "- first\n", "- Item with some words\n    - detail of it\n", "<pre"],
  ["with code in its items", "1. first\n", "1. Item with some words\n\n   ```sh\n   npm ci\n   ```\n\n", "<code>1."],
])("a long list %s is cut between two items", (_, first, item, torn) => {
  for (const shown of shifted(first, item.repeat(400))) {
    expect(count(shown, "Item with some words")).toBe(400);
    expect(count(shown, torn)).toBe(0);
    expect(count(shown, "<code>npm ci</code>")).toBe(item.includes("npm") ? 400 : 0);
  }
});

it("a long quote is cut between two paragraphs, and never within its code", () => {
  const part = "> Some words of a quote\n>\n> ```sh\n> npm ci\n>\n> npm test\n> ```\n>\n";
  for (const shown of shifted("> first\n>\n", part.repeat(300))) {
    expect(count(shown, "<p>Some words of a quote</p>")).toBe(300);
    expect(count(shown, "<code>npm ci\n\nnpm test</code>")).toBe(300);
  }
});

it("a row that is short fills a wide table up only so often", () => {
  const table = `${"|a".repeat(1_000)}|\n${"|-".repeat(1_000)}|\n${"|\n".repeat(1_000)}`;
  expect(count(whole(table), "<td")).toBeLessThan(table.length);
  expect(count(whole(`|a|b|\n|-|-|\n${"|c\n".repeat(1_000)}`), "<tr>")).toBe(1_001);
});

it("an address as long as a page is not given to every link that names it", () => {
  expect(whole(`[a]: http://x.y/${"z".repeat(3_000)}\n\n${"[a] ".repeat(100)}`)).toContain("[a] [a] ");
  expect(count(whole(`[a]: http://x.y/z\n\n${"[a] ".repeat(100)}`), "<a ")).toBe(100);
});
