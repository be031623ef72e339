/** Texts in scripts that run from right to left: in a chat, where one writes, and of stocks. Turned words: `hostile-text.test.ts`. */
import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { it } from "../../support/browser/screen-test.ts";
import { say } from "../../support/model-script.ts";
import { composer, log, runEnd, sendMessage } from "./agent-page.ts";

/** At which edge of the block around it a text begins, and where it ends, by its first and its last character. */
const placeOf = (around: Locator, text: string): Promise<{ begins: string; ends: string }> =>
  around.evaluate((block, words) => {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT, (node) =>
      node.nodeValue?.includes(words) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
    );
    const node = walker.nextNode();
    if (node === null) throw new Error(`Nothing says ${words}.`);
    const from = node.nodeValue?.indexOf(words) ?? 0;
    const boxOf = (index: number): DOMRect => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      return range.getBoundingClientRect();
    };
    const [first, last] = [boxOf(from), boxOf(from + words.length - 1)];
    const { left, right } = block.getBoundingClientRect();
    return {
      begins: first.left - left < right - first.right ? "left" : "right",
      ends: last.left < first.left ? "left" : "right",
    };
  }, text);

/** Whether the first character of a text is inside of the box that cuts it. */
const showsBeginning = (box: Locator): Promise<boolean> =>
  box.evaluate((element) => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    if (text === null) throw new Error("There is no text in it.");
    const range = document.createRange();
    range.setStart(text, 0);
    range.setEnd(text, 1);
    const first = range.getBoundingClientRect();
    const { left, right } = element.getBoundingClientRect();
    return first.left >= left - 1 && first.right <= right + 1;
  });

/** The side that a list's marks and a quote's line are on, and where a field's text begins. */
const sideOf = (block: Locator): Promise<string> => block.evaluate((element) => getComputedStyle(element).direction);

const FROM_RIGHT = { begins: "right", ends: "left" };

const FROM_LEFT = { begins: "left", ends: "right" };

it("an answer and a message are laid out from where their script begins, and code from the left", async ({
  desktop,
  script,
}) => {
  const said = [
    "# כותרת.",
    "יש לך AAPL.",
    "- פריט `f(x)`.",
    "> ציטוט.",
    "| עמודה. | שנייה. |\n|---|---|\n| תא. | שני. |",
    "You own it.",
    "1. First.",
    '```js\nlet x = "שלום";\n```',
  ].join("\n\n");
  const model = await script([say(said)]);
  const page = await desktop("/");
  const asked = `${"מה יש לי היום בתיק? ".repeat(3)}\nתודה.\n${model.prompt("Tell me.")}`;
  await composer(page).fill(asked);
  expect(await composer(page).evaluate((area) => getComputedStyle(area).direction)).toBe("rtl");
  await sendMessage(page, asked);
  await runEnd(page).waitFor();
  const answer = log(page).locator(".markdown");
  await answer.waitFor();
  expect(await placeOf(answer.locator("h3"), "כותרת.")).toEqual(FROM_RIGHT);
  expect(await placeOf(answer.locator("> p").first(), "יש לך AAPL.")).toEqual(FROM_RIGHT);
  expect(await placeOf(answer.locator("ul"), "פריט")).toEqual(FROM_RIGHT);
  expect(await placeOf(answer.locator("ul code"), "f(x)")).toMatchObject({ ends: "right" });
  expect(await placeOf(answer.locator("blockquote"), "ציטוט.")).toEqual(FROM_RIGHT);
  expect(await placeOf(answer.locator("table"), "עמודה.")).toEqual(FROM_RIGHT);
  expect(await placeOf(answer.locator("> p").last(), "You own it.")).toEqual(FROM_LEFT);
  expect(await placeOf(answer.locator("ol"), "First.")).toEqual(FROM_LEFT);
  expect(await placeOf(answer.locator("pre"), "let")).toEqual(FROM_LEFT);
  expect(await placeOf(log(page).locator(".me > p"), "תודה.")).toEqual(FROM_RIGHT);
  expect([await sideOf(answer.locator("ul")), await sideOf(answer.locator("blockquote"))]).toEqual(["rtl", "rtl"]);
  expect([await sideOf(answer.locator("ol")), await sideOf(answer.locator("pre"))]).toEqual(["ltr", "ltr"]);
});

it("the name of a chat begins where its script does, above the chat and in the list", async ({ desktop, script }) => {
  const model = await script([say("כן."), say("Yes.")]);
  const page = await desktop("/");
  await sendMessage(page, `מה יש לי היום בתיק?\n${model.prompt("Tell me.")}`);
  await runEnd(page).waitFor();
  const heading = page.locator("h2 .thread-title");
  await heading.getByText("מה יש לי").waitFor();
  expect(await placeOf(heading, "מה יש לי היום בתיק?")).toMatchObject({ ends: "left" });
  await page.getByRole("button", { name: "New chat" }).first().click();
  await sendMessage(page, `What is mine?\n${model.prompt("Tell me.")}`);
  await runEnd(page).waitFor();
  const titles = page.getByRole("navigation", { name: "Chats" }).locator(".thread-link .title");
  expect(await placeOf(titles.filter({ hasText: "מה" }), "מה יש לי היום בתיק?")).toEqual(FROM_RIGHT);
  expect(await placeOf(titles.filter({ hasText: "What" }), "What is mine?")).toEqual(FROM_LEFT);
});

it("a stock's name is cut at its end, and its notes and its form begin where their script does", async ({
  phone,
  tally,
}) => {
  const name = `טבע ${"תעשיות פרמצבטיות ".repeat(5)}בעם`;
  const [stock] = await tally.seedStocks([{ symbol: "TEVA", name, notes: "הערה על AAPL.", quantity: "10" }]);
  const page = await phone("/stocks");
  const cut = page.locator(".stock-card .cut");
  await cut.waitFor();
  expect(await cut.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
  expect(await showsBeginning(cut)).toBe(true);
  await page.getByRole("link", { name: "TEVA" }).tap();
  expect(await placeOf(page.locator(".notes-text"), "הערה על AAPL.")).toEqual(FROM_RIGHT);
  await page.goto(`/stocks?dialog=edit&id=${stock?.id}`);
  const form = page.getByRole("dialog", { name: "Edit TEVA" });
  expect(await sideOf(form.getByRole("textbox", { name: "Name", exact: true }))).toBe("rtl");
  expect(await sideOf(form.getByRole("textbox", { name: "Notes" }))).toBe("rtl");
  expect(await sideOf(form.getByRole("textbox", { name: "Quantity" }))).toBe("ltr");
});

it("what an import says of a stock stays in order after a name from the right", async ({ phone }) => {
  const page = await phone("/stocks?dialog=import");
  await page.getByLabel("Paste symbols, lines or a table").fill("Symbol,Name,Quantity\nNICE,נייס,10");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("button", { name: "Import 1 stock" }).waitFor();
  const words = page.locator(".import-stock .muted");
  expect(await words.innerText()).toBe("נייס · 10");
  const [nameAt = 0, amountAt = 0] = await words.evaluate(({ firstChild, lastChild }) => {
    const range = document.createRange();
    return [firstChild, lastChild].map((part) => {
      if (part !== null) range.selectNode(part);
      return range.getBoundingClientRect().left;
    });
  });
  expect(amountAt).toBeGreaterThan(nameAt);
});
