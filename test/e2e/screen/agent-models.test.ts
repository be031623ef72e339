/** What goes with a prompt. The model of a chat: chosen in the composer, kept, given up where the server refuses it. And the time zone. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { smallTargets } from "../../support/browser/small-targets.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { say } from "../../support/model-script.ts";
import { composer, log, modelButton, pickModel, runEnd, sendMessage } from "./agent-page.ts";

const THE_DEFAULT = "Model: Claude Sonnet 5.5";

const nameOf = (page: Page) => expect.poll(() => modelButton(page).getAttribute("aria-label"));

/** What the page sent along with its prompt. */
const nextTurn = async (page: Page): Promise<Readonly<Record<string, unknown>>> => {
  const request = await page.waitForRequest("**/api/agent/turn");
  const { threadId: _, prompt: __, timeZone: ___, ...choice } = request.postDataJSON();
  return choice;
};

it("a model and an effort are chosen, sent, and kept for the chat and for the next one", async ({
  desktop,
  script,
}) => {
  const model = await script([say("By the large one."), say("Again.")]);
  const page = await desktop("/");
  await nameOf(page).toBe(THE_DEFAULT);
  await pickModel(page, /^Claude Opus 5\.5/);
  await pickModel(page, /^High/);
  await nameOf(page).toBe("Model: Claude Opus 5.5 · High");
  const turn = nextTurn(page);
  await sendMessage(page, model.prompt("Who are you?"));
  expect(await turn).toEqual({ model: "claude-opus-5-5", effort: "high" });
  await runEnd(page).waitFor();
  expect((await model.requests())[0]?.body).toMatchObject({
    model: "claude-opus-5-5",
    output_config: { effort: "high" },
  });
  expect(await runEnd(page).getAttribute("title")).toContain("claude-opus-5-5");
  await page.reload();
  await nameOf(page).toBe("Model: Claude Opus 5.5 · High");
  const chat = page.url();
  await page.getByRole("button", { name: "New chat" }).first().click();
  await page.waitForURL(/\/$/);
  await nameOf(page).toBe("Model: Claude Opus 5.5 · High");
  await pickModel(page, /^Claude Sonnet 5\.5/);
  await pickModel(page, /^Default/);
  await nameOf(page).toBe(THE_DEFAULT);
  await page.goto(chat);
  await nameOf(page).toBe("Model: Claude Opus 5.5 · High");
});

it("a branch goes on with the chat's model", async ({ desktop, script }) => {
  const model = await script([say("By the large one.")]);
  const page = await desktop("/");
  await pickModel(page, /^Claude Opus 5\.5/);
  await sendMessage(page, model.prompt("Who are you?"));
  await runEnd(page).waitFor();
  await page.getByRole("button", { name: "Branch from here" }).click();
  // The branch has the message as its draft.
  await expect.poll(() => composer(page).inputValue()).toContain("Who are you?");
  await nameOf(page).toBe("Model: Claude Opus 5.5");
});

it("the default is not sent", async ({ phone, script }) => {
  const model = await script([say("Hello.")]);
  const page = await phone("/");
  await nameOf(page).toBe(THE_DEFAULT);
  const turn = nextTurn(page);
  await sendMessage(page, model.prompt("Hello."));
  expect(await turn).toEqual({});
  await runEnd(page).waitFor();
});

it("an effort that the next model does not have is left behind", async ({ desktop }) => {
  const page = await desktop("/");
  await pickModel(page, /^Maximum/);
  await nameOf(page).toBe(`${THE_DEFAULT} · Maximum`);
  await pickModel(page, /^Claude Haiku 4\.5/);
  await nameOf(page).toBe("Model: Claude Haiku 4.5");
  await modelButton(page).click();
  await page.getByRole("group", { name: "Model" }).waitFor();
  expect(await page.getByRole("group", { name: "Effort" }).count()).toBe(0);
});

it("a choice that the server refuses is told, and the default goes next", async ({ desktop, script }) => {
  const model = await script([say("By the default one.")]);
  const page = await desktop("/", { allow: [/400/] });
  await pickModel(page, /^Claude Opus 5\.5/);
  // As of a page that has been open since before the deployment dropped the model.
  await page.route(
    "**/api/agent/turn",
    (route) => route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), model: "gone" }) }),
    { times: 1 },
  );
  await sendMessage(page, model.prompt("Hello."));
  const problem = page.getByRole("alert").filter({ hasText: "The default is selected again. Resend the message." });
  await problem.waitFor();
  expect(await problem.innerText()).toMatch(/^model: use one of .*claude-sonnet-5-5/);
  await nameOf(page).toBe(THE_DEFAULT);
  const turn = nextTurn(page);
  await composer(page).press("Enter");
  expect(await turn).toEqual({});
  await log(page).getByText("By the default one.").waitFor();
  await runEnd(page).waitFor();
});

it("the person's time zone is sent along, and left out where the server does not know it", async ({
  desktop,
  script,
}) => {
  const model = await script([say("Good morning."), say("Good evening.")]);
  const page = await desktop("/", { allow: [/400/] });
  const timeZone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const first = page.waitForRequest("**/api/agent/turn");
  await sendMessage(page, model.prompt("Hello."));
  expect((await first).postDataJSON()).toMatchObject({ timeZone });
  await log(page).getByText("Good morning.").waitFor();
  await page.route("**/api/agent/turn", (route) => {
    const body = route.request().postDataJSON();
    return route.continue({ postData: JSON.stringify("timeZone" in body ? { ...body, timeZone: "A/B" } : body) });
  });
  await composer(page).fill("And now?");
  await composer(page).press("Enter");
  await log(page).getByText("Good evening.").waitFor();
});

it("is chosen by keys, which give the focus back, and every target fits a finger", async ({ phone }) => {
  const page = await phone("/", { colorScheme: "dark" });
  await modelButton(page).press("Enter");
  const menu = page.locator(".menu:popover-open");
  await waitForFocus(menu.getByRole("button", { name: /^Claude Sonnet 5\.5/ }));
  await expectNoAxeViolations(page);
  await expect.poll(() => smallTargets(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.keyboard.press("ArrowDown");
  const second = await page.evaluate(() => document.activeElement?.textContent);
  await page.keyboard.press("Enter");
  await menu.waitFor({ state: "detached" });
  await waitForFocus(modelButton(page));
  expect(second).toContain((await modelButton(page).innerText()).trim());
});

it("says what a model costs, and how the list reads aloud", async ({ desktop }) => {
  const page = await desktop("/");
  await modelButton(page).click();
  const entry = page.getByRole("group", { name: "Model" }).getByRole("button", { name: /^Claude Sonnet 5\.5/ });
  expect(await entry.textContent()).toMatch(/^Claude Sonnet 5\.5\$[\d.]+ \/ {2}in, \$[\d.]+ out, per million tokens$/);
  expect(await entry.getAttribute("aria-pressed")).toBe("true");
});

it("nothing is chosen where the window is as low as under a zoom of 400 %, but all can be reached", async ({
  phone,
}) => {
  const page = await phone("/");
  await page.setViewportSize({ width: 320, height: 256 });
  await modelButton(page).press("Enter");
  const last = page.getByRole("group", { name: "Effort" }).getByRole("button", { name: "Maximum" });
  // Keys reach the menu once it has the focus, which it takes when it has its size.
  await waitForFocus(page.getByRole("group", { name: "Model" }).getByRole("button").first());
  await page.keyboard.press("End");
  await waitForFocus(last);
  const box = await last.boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(256);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
