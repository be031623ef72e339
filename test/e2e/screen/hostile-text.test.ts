/**
 * Text that wants to be more than text: in stocks, files, tool output and what the model says. None of it becomes markup,
 * script or a request elsewhere (each page fails its test for those), and none of it breaks the layout.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { readAndAllow } from "../../support/browser/answer-card.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { callTool, say, think } from "../../support/model-script.ts";
import { log, runEnd, sendMessage } from "./agent-page.ts";

const MARKUP = `<img src=http://evil.test/x onerror="document.body.id='owned'"><script>document.body.id='owned'</script>`;
const LONG_WORD = "W".repeat(110);
const TURNED = "\u202Egnp.exe\u2066";

/** What hostile text would have made, had it become more than text. */
const planted = (page: Page) =>
  page.evaluate(() => ({
    isScriptRun: document.body.id === "owned",
    elements: document.querySelectorAll("img:not([src^='/']), iframe, object, embed, body script, base, form[action]")
      .length,
    links: [...document.querySelectorAll("a")].map(({ protocol }) => protocol).filter((one) => !/^https?:$/.test(one)),
  }));

const NOTHING = { isScriptRun: false, elements: 0, links: [] };

const scrollWidth = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);

/** The elements whose own text turns the direction of writing, and that do not keep that to themselves. */
const unisolated = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("body *")]
      .filter((element) =>
        [...element.childNodes].some((node) => node instanceof Text && /[\u202E\u2066]/.test(node.data)),
      )
      .filter((element) => {
        const { unicodeBidi, display } = getComputedStyle(element);
        const isAlone = [...element.childNodes].at(-1) instanceof Text;
        return !/isolate|plaintext/.test(unicodeBidi) || (display !== "inline" && !isAlone);
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );

const HOSTILE_STOCK = {
  symbol: "EVIL",
  name: `<b onmouseover=alert(1)>${LONG_WORD}`.slice(0, 120),
  sector: `<svg/onload=alert(1)>${TURNED}`,
  tags: ["<i>tag</i>", LONG_WORD.slice(0, 32), `javascript:alert(1)`],
  notes: `${MARKUP}\n${LONG_WORD.repeat(4)}\n${TURNED}\n[link](javascript:alert(1))`,
  quantity: "1",
  avgCost: "1",
  lastPrice: "2",
};

it.for(["phone", "desktop"] as const)(
  "a hostile stock is only text in the list and its dialogs, on a %s",
  async (device, { phone, desktop, tally }) => {
    const [stock] = await tally.seedStocks([HOSTILE_STOCK]);
    const page = await { phone, desktop }[device]("/stocks");
    await page.getByRole("link", { name: "EVIL" }).waitFor();
    expect(await planted(page)).toEqual(NOTHING);
    expect(await scrollWidth(page)).toBe(page.viewportSize()?.width);
    await page.goto(`/stocks?dialog=detail&id=${stock?.id}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("document.body.id='owned'").first().waitFor();
    expect(await planted(page)).toEqual(NOTHING);
    expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await page.goto(`/stocks?dialog=edit&id=${stock?.id}`);
    await dialog.getByRole("textbox", { name: "Notes" }).waitFor();
    expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    expect(await planted(page)).toEqual(NOTHING);
  },
);

it("a hostile address is only text: search, draft, tags and a thread's id", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const text = encodeURIComponent(MARKUP);
  const page = await desktop(`/stocks?q=${text}&tag=${text}&currency=${text}&id=${text}`, { allow: [/404/] });
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe(MARKUP);
  expect(await planted(page)).toEqual(NOTHING);
  await page.goto(`/stocks?dialog=add&draft=${text}`);
  await page.getByRole("dialog").waitFor();
  expect(await planted(page)).toEqual(NOTHING);
  await page.goto(`/t/${text}`);
  await log(page).waitFor();
  expect(await planted(page)).toEqual(NOTHING);
});

it("what the model says is never more than harmless markdown", async ({ phone, script }) => {
  const said = [
    MARKUP,
    "![picture](http://evil.test/pixel.png)",
    "[go](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>) [odd](\u0001javascript:alert(1))",
    "[plain](https://example.org/page)",
    "<a href='javascript:alert(1)'>a</a><iframe src='//evil.test'></iframe>",
    `${LONG_WORD.repeat(3)}`,
    `\`${LONG_WORD.repeat(3)}\``,
    `| ${LONG_WORD} | b |\n|---|---|\n| ${LONG_WORD} | ${TURNED} |`,
    `\`\`\`html\n${MARKUP}${LONG_WORD.repeat(3)}\n\`\`\``,
    "The end.",
  ].join("\n\n");
  const model = await script([think(`${MARKUP} ${LONG_WORD}`, said)]);
  const page = await phone("/", { colorScheme: "light" });
  await sendMessage(page, model.prompt(`${MARKUP} ${LONG_WORD.repeat(2)}`));
  await log(page).getByText("The end.").waitFor();
  await runEnd(page).waitFor();
  await log(page).locator(".markdown").waitFor();
  expect(await planted(page)).toEqual(NOTHING);
  expect(await scrollWidth(page)).toBe(360);
  expect(await log(page).evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  const link = log(page).getByRole("link", { name: "plain" });
  expect(await link.getAttribute("rel")).toContain("noopener");
  await expectNoAxeViolations(page);
});

it("a hostile file is only text in a tool's card, in its question and in its diff", async ({ phone, script, site }) => {
  const name = "<img src=x onerror=alert(1)>.txt";
  await writeFile(join(site.workspaceDir, name), `${MARKUP}\n${LONG_WORD.repeat(6)}\n${TURNED}\nlast line\n`);
  const model = await script([
    callTool("read_file", { path: name }),
    callTool("edit_file", { path: name, oldText: "last line", newText: MARKUP }),
    callTool("run_shell", {
      command: `printf '%s\\000\\033[31m%s' '${MARKUP.replaceAll("'", "")}' '${LONG_WORD.repeat(4)}'`,
    }),
    say("Seen."),
  ]);
  const page = await phone("/", { colorScheme: "dark" });
  await sendMessage(page, model.prompt("Read it."));
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  expect(await planted(page)).toEqual(NOTHING);
  expect(await log(page).evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await readAndAllow(page);
  await page.getByRole("group", { name: "Command" }).waitFor();
  await readAndAllow(page);
  await runEnd(page).waitFor();
  await log(page).locator("summary", { hasText: "read_file" }).click();
  await log(page).locator("summary", { hasText: "run_shell" }).click();
  await page.getByRole("group", { name: "Output" }).last().waitFor();
  expect(await planted(page)).toEqual(NOTHING);
  expect(await log(page).evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  expect(await scrollWidth(page)).toBe(360);
  await expectNoAxeViolations(page);
});

it("a hostile thread is only text in the list of threads and in its title", async ({ desktop, tally, script }) => {
  const model = await script([say("Fine.")]);
  await tally.eventsUntil(await tally.startTurn("hostile", model.prompt(`<u>title</u>${LONG_WORD}`)), "run_end");
  const page = await desktop("/t/hostile");
  await log(page).getByText("Fine.").waitFor();
  await page
    .getByRole("navigation", { name: "Chats" })
    .getByRole("link", { name: /<u>title/ })
    .waitFor();
  await expect.poll(() => page.title()).toContain("<u>title");
  expect(await page.locator("u").count()).toBe(0);
  expect(await scrollWidth(page)).toBe(1_280);
});

it("what turns the direction of writing turns nothing around it: stocks, answers, calls, chats", async ({
  desktop,
  tally,
  script,
}) => {
  const turned = (word: string) => `${word} \u202Egnp`;
  const [stock] = await tally.seedStocks([
    {
      ...{
        symbol: "RLO",
        name: turned("name"),
        sector: turned("sector"),
        notes: turned("notes"),
        tags: [turned("tag")],
      },
      ...{ quantity: "1", avgCost: "1", lastPrice: "2", targetLow: "3", targetHigh: "4" },
    },
  ]);
  const model = await script([
    callTool("list-stocks", { q: turned("q") }),
    say(
      `${turned("Plain")} **${turned("strong")}** \`${turned("code")}\` [${turned("link")}](https://example.org/) end`,
    ),
  ]);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "RLO" }).waitFor();
  expect(await unisolated(page)).toEqual([]);
  await page.goto(`/stocks?dialog=detail&id=${stock?.id}`);
  await page.getByRole("dialog").getByText("notes").last().waitFor();
  expect(await unisolated(page)).toEqual([]);
  await page.goto("/");
  await sendMessage(page, model.prompt(turned("Say it.")));
  await runEnd(page).waitFor();
  await log(page).locator(".markdown").waitFor();
  await log(page).locator("summary").click();
  await page.getByRole("group", { name: "Result" }).waitFor();
  expect(await unisolated(page)).toEqual([]);
});
