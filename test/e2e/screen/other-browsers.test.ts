/** What browsers do that the one of these tests does not: their keys, insets and styles, as far as it can be made to act like them. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { openAccount } from "../../support/browser/account-steps.ts";
import { readyButton } from "../../support/browser/answer-card.ts";
import { it } from "../../support/browser/screen-test.ts";
import { callTool, say } from "../../support/model-script.ts";
import { composer, log, question, runEnd } from "./agent-page.ts";

/** Safari ends a composition first, and then reports the Enter that ended it as a key of its own, with the code 229. */
const endComposition = (field: Locator): Promise<boolean> =>
  field.evaluate((element) =>
    element.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, cancelable: true }),
    ),
  );

const hasFocus = (field: Locator): Promise<boolean> => field.evaluate((element) => element === document.activeElement);

it("an Enter that ends a composition does nothing, and the next one does", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "7203", name: "トヨタ自動車", tags: ["car"] }]);
  const page = await desktop("/stocks");
  const search = page.getByRole("searchbox", { name: "Search stocks" });
  await search.fill("トヨタ");
  await page.getByRole("button", { name: "Open 7203" }).or(page.getByText("7203")).first().waitFor();
  expect(await endComposition(search)).toBe(true);
  expect(await hasFocus(search)).toBe(true);
  await search.press("Enter");
  expect(await hasFocus(search)).toBe(false);

  await page.keyboard.press("Control+k");
  const palette = page.getByRole("combobox", { name: "Stock, chat, action or setting" });
  await palette.fill("トヨタ");
  await page.getByRole("option", { name: /7203/, selected: true }).waitFor();
  expect(await endComposition(palette)).toBe(true);
  await palette.press("Enter");
  await page.getByRole("dialog", { name: /7203/ }).waitFor();

  await page.goto(`/stocks?dialog=edit&id=${stock?.id}`);
  const tags = page.getByRole("dialog").getByRole("combobox", { name: "Tags" });
  await tags.fill("自動車");
  expect(await endComposition(tags)).toBe(true);
  expect(await tags.inputValue()).toBe("自動車");
  await tags.press("Enter");
  expect(await tags.inputValue()).toBe("");
});

it("the key below a note says that it sends, as that of a message does", async ({ phone, script }) => {
  const model = await script([callTool("add-stock", { symbol: "SAP" }), say("Then not.")]);
  const page = await phone("/", { userAgent: IPHONE });
  expect(await composer(page).getAttribute("enterkeyhint")).toBe("send");
  await composer(page).fill(model.prompt("Add SAP"));
  await composer(page).press("Enter");
  await question(page, "Add SAP").waitFor();
  await (await readyButton(page, "Reject with a note")).click();
  const note = page.getByLabel("What should it do instead? (optional)");
  expect(await note.getAttribute("enterkeyhint")).toBe("send");
  await note.fill("Only if it is cheap.");
  await note.press("Enter");
  await log(page).locator("q").getByText("Only if it is cheap.").waitFor();
  await runEnd(page).waitFor();
});

/** Gives the window a phone's insets, in px. */
const setInsets = async (page: Page, insets: Readonly<Record<string, number>>): Promise<void> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setSafeAreaInsetsOverride", { insets });
};

/** Buttons and links of the frame that reach into an inset. */
const hidden = (page: Page, left: number, right: number): Promise<string[]> =>
  page.evaluate(
    ([from, to]) =>
      [...document.querySelectorAll("a:not(.skip), button")]
        .map((element) => ({
          box: element.getBoundingClientRect(),
          name: element.textContent || element.ariaLabel || "",
        }))
        .filter(({ box }) => box.width > 1 && (box.left < from || box.right > to))
        .map(({ name }) => name),
    [left, right] as const,
  );

it("a phone on its side has nothing behind its camera", async ({ phone, tally }) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await phone("/stocks");
  await page.setViewportSize({ width: 852, height: 393 });
  await setInsets(page, { left: 59, right: 59, bottom: 21 });
  await page.getByText("AAPL").first().waitFor();
  await expect.poll(() => hidden(page, 59, 852 - 59)).toEqual([]);
});

it("the agent's sheet ends above a phone's home indicator", async ({ phone }) => {
  const page = await phone("/stocks");
  await setInsets(page, { bottom: 34 });
  await page
    .getByRole("button", { name: "Ask the agent" })
    .or(page.getByRole("button", { name: "Agent" }))
    .first()
    .tap();
  const send = page.getByRole("dialog").getByRole("button", { name: "Send" });
  await send.waitFor();
  const height = page.viewportSize()?.height ?? 0;
  await expect
    .poll(async () => {
      const box = await send.boundingBox();
      return box !== null && box.y + box.height <= height - 34;
    })
    .toBe(true);
});

it("what a phone's keyboard would cover is above it: toasts, and what the palette finds", async ({ phone, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "AAPL" }, { symbol: "MSFT" }]);
  const page = await phone("/stocks");
  const height = page.viewportSize()?.height ?? 0;
  const free = height - 336;
  await page.getByText("AAPL").first().waitFor();
  await page.keyboard.press("Control+k");
  const option = page.getByRole("option", { name: /MSFT/ });
  await page.getByRole("combobox", { name: "Stock, chat, action or setting" }).fill("MSFT");
  await option.waitFor();
  await expect.poll(async () => (await option.boundingBox())?.y).toBeLessThan(free - 44);
  await page.goto(`/stocks?dialog=detail&id=${stock?.id}`);
  const stocks = page.getByRole("dialog", { name: "AAPL" });
  await stocks.waitFor();
  await page.evaluate((left) => {
    Object.defineProperty(visualViewport, "height", { get: () => left });
    visualViewport?.dispatchEvent(new Event("resize"));
  }, free);
  await stocks.getByRole("button", { name: "Delete" }).tap();
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  await undo.waitFor();
  const box = await undo.boundingBox();
  expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThan(free);
});

it("a menu closes when one presses beside it, also where the browser would leave it open", async ({ phone, tally }) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await phone("/stocks");
  await page.addInitScript(() => {
    // Safari before 18.3 does with `auto` what `manual` means.
    const set = Element.prototype.setAttribute;
    Element.prototype.setAttribute = function setOther(name, value) {
      set.call(this, name, name === "popover" ? "manual" : value);
    };
    Object.defineProperty(HTMLElement.prototype, "popover", {
      set(value: string | null) {
        if (value !== null) set.call(this, "popover", "manual");
      },
    });
  });
  await page.reload();
  await page.getByRole("button", { name: "List menu" }).tap();
  const entry = page.getByRole("button", { name: "Export as CSV" });
  await entry.waitFor();
  await page.getByRole("heading", { name: "Stocks" }).tap();
  await entry.waitFor({ state: "hidden" });
});

it("search fields have the app's own look in Safari", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await desktop("/stocks");
  const search = page.getByRole("searchbox", { name: "Search stocks" });
  await search.waitFor();
  expect(await search.evaluate((field) => getComputedStyle(field).appearance)).toBe("textfield");
});

/** Sixty presses of a held key, quicker than any timer of the page. Resolves to the text of the row that they lead to. */
const repeatArrowDown = (from: Locator): Promise<string> =>
  from.evaluate(async (link) => {
    link.focus();
    for (let press = 0; press < 60; press += 1) {
      const key = { key: "ArrowDown", repeat: true, bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", key));
      // The app draws in microtasks, one after the other.
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    }
    return document.activeElement?.textContent ?? "";
  });

it("a held arrow key passes any number of stocks beside the list where changes of the address are limited", async ({
  desktop,
  tally,
}) => {
  await tally.seedStocks(80);
  const page = await desktop("/stocks");
  // Safari refuses more than a hundred in ten seconds, whether they replace or add.
  await page.addInitScript(() => {
    const replace = history.replaceState.bind(history);
    let left = 100;
    history.replaceState = (...change) => {
      left -= 1;
      if (left < 0) throw new DOMException("Attempt to use history.replaceState() too often.", "SecurityError");
      replace(...change);
    };
  });
  await page.reload();
  const links = page.locator("[data-id] .open");
  await links.first().click();
  await page.getByRole("table").waitFor({ state: "detached" });
  await page.getByRole("dialog").getByText("Added by you").waitFor();
  const reads: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/get-stock?")) reads.push(request.url());
  });
  const symbol = await repeatArrowDown(links.first());
  await page.getByRole("dialog", { name: symbol }).getByText("Added by you").waitFor();
  expect(await links.allTextContents()).toContain(symbol);
  expect(new Set(reads).size).toBe(2);
});

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

/** Makes the page an app on an iPhone's home screen, and keeps the names of what is offered to other apps. */
const onHomeScreen = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const matchOther = window.matchMedia.bind(window);
    window.matchMedia = (query) => matchOther(query === "(display-mode: standalone)" ? "all" : query);
    const shared: string[] = [];
    let refusal = "";
    Object.assign(window, { shared, refuseNext: (name: string) => (refusal = name) });
    navigator.canShare = () => true;
    navigator.share = async ({ files = [] }: ShareData = {}) => {
      if (refusal !== "") {
        const name = refusal;
        refusal = "";
        throw new DOMException("Not shared.", name);
      }
      shared.push(...files.map(({ name, size }) => `${name} ${size > 2}`));
    };
  });
};

const sharedFiles = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(window, "shared"));

/** `AbortError`: somebody closes the sheet. `NotAllowedError`: the press was too long ago. */
const refuseNext = (page: Page, name: "AbortError" | "NotAllowedError"): Promise<unknown> =>
  page.evaluate((refusal) => Reflect.get(window, "refuseNext")(refusal), name);

it("an app on an iPhone's home screen offers its exports to others, and stays", async ({ phone, person, tally }) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await phone("/stocks", { userAgent: IPHONE });
  await onHomeScreen(page);
  await page.reload();
  const downloads: string[] = [];
  page.on("download", (download) => downloads.push(download.suggestedFilename()));
  // Before the stocks have come, an export says that they are still loading.
  await page.getByRole("link", { name: "AAPL" }).waitFor();
  await page.getByRole("button", { name: "List menu" }).tap();
  await page.getByRole("button", { name: "Export as CSV" }).tap();
  await expect.poll(() => sharedFiles(page)).toEqual([expect.stringMatching(/^stocks-[\d-]+\.csv true$/)]);

  await openAccount(page, person.email);
  await refuseNext(page, "NotAllowedError");
  await page.getByRole("link", { name: "Export my data" }).tap();
  await page.locator(".toast").getByText("Your file is ready.").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).tap();
  await expect
    .poll(() => sharedFiles(page))
    .toEqual([expect.anything(), expect.stringMatching(/^tally-[\d-]+\.json true$/)]);
  expect(downloads).toEqual([]);
});

it("an export that is refused says why, or leads to the sign-in", async ({ phone, person }) => {
  const page = await phone("/stocks", { userAgent: IPHONE, allow: [/status of 4/] });
  await onHomeScreen(page);
  await page.reload();
  await openAccount(page, person.email);
  const refusals = [429, 401].map((status) => ({ status, headers: { "retry-after": "3600" }, json: { error: "No." } }));
  await page.route("**/account/export", (route) => route.fulfill(refusals.shift()));
  await page.getByRole("link", { name: "Export my data" }).tap();
  await page.getByText("The export could not be loaded. No. Try again in 60 minutes.").waitFor();
  await page.getByRole("link", { name: "Export my data" }).press("Enter");
  await page.getByText("You have been signed out.").waitFor();
});

it("an export whose sheet is closed is not said to be done", async ({ phone, tally }) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await phone("/stocks", { userAgent: IPHONE });
  await onHomeScreen(page);
  await page.reload();
  const exportAs = async (kind: string): Promise<void> => {
    await page.getByRole("button", { name: "List menu" }).tap();
    await page.getByRole("button", { name: `Export as ${kind}` }).tap();
  };
  await page.getByRole("link", { name: "AAPL" }).waitFor();
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    const region = document.querySelector('.vh[aria-live="polite"]');
    if (region === null) throw new Error("Nothing is announced here.");
    new MutationObserver(() => heard.push(region.textContent)).observe(region, { childList: true, subtree: true });
  });
  await refuseNext(page, "AbortError");
  await exportAs("CSV");
  await exportAs("JSON");
  await expect.poll(() => page.evaluate(() => Reflect.get(window, "heard"))).toEqual(["1 stock exported"]);
  expect(await sharedFiles(page)).toEqual([expect.stringMatching(/^stocks-[\d-]+\.json true$/)]);
});
