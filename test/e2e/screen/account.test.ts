/** What a person can do about being signed in: see and end log-ins, leave, take their data along, delete it all. */
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { openAccount, openAccountMenu, placeReported, postAs } from "../../support/browser/account-steps.ts";
import { allowOnce } from "../../support/browser/answer-card.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it, SIGNED_OUT } from "../../support/browser/sign-in-test.ts";
import { callTool, say } from "../../support/model-script.ts";
import { pickModel, sendMessage } from "./agent-page.ts";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

const ADD_STOCK = "/_framework/actions/add-stock";

it("menu and account hold to WCAG", async ({ phone, signIn }) => {
  const page = await phone("/stocks", { allow: SIGNED_OUT });
  await signIn(page, "axe@example.com");
  await openAccountMenu(page, "axe@example.com");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await openAccount(page, "axe@example.com");
  await page.getByText("This device").waitFor();
  await expectNoAxeViolations(page, { within: "dialog[open]" });
});

it("a person signs out, and the next one on this browser finds nothing of them", async ({ desktop, signIn }) => {
  const page = await desktop("/stocks", { allow: SIGNED_OUT });
  await signIn(page, "ann@example.com");
  expect(await postAs(page, ADD_STOCK, { symbol: "AAPL", name: "Of Ann" })).toBe(200);
  await page.goto("/");
  await page.getByLabel("Message to the agent").fill("A plan of Ann");
  await pickModel(page, /^Claude Opus 5\.5/);
  const other = await page.context().newPage();
  await other.goto("/stocks");
  await other.getByText("Of Ann").first().waitFor();
  await openAccountMenu(page, "ann@example.com");
  // How the device's owner likes to see the app is nobody's data.
  await page.evaluate(() => localStorage.setItem("tally.compact", "1"));
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to Tally" }).waitFor();
  expect(await page.evaluate(() => localStorage.getItem("tally.compact"))).toBe("1");
  await other.getByRole("heading", { name: "Sign in to Tally" }).waitFor();
  expect(await other.content()).not.toContain("Of Ann");
  await signIn(other, "bob@example.com");
  await other.getByText("Start your list").waitFor();
  await page.getByRole("button", { name: "Account of bob@example.com" }).waitFor();
  expect(await page.getByLabel("Message to the agent").inputValue()).toBe("");
  await page.getByRole("button", { name: "Model: Claude Sonnet 5.5" }).waitFor();
  const kept = () => JSON.stringify({ ...localStorage, ...sessionStorage });
  expect(await page.evaluate(kept)).not.toMatch(/ann@|of Ann|opus/i);
  expect(await other.evaluate(kept)).not.toMatch(/ann@|of Ann|opus/i);
});

it("a log-in that is ended elsewhere asks for a code, and keeps what was typed", async ({ phone, desktop, signIn }) => {
  const page = await phone("/stocks", { userAgent: IPHONE, allow: SIGNED_OUT });
  await signIn(page, "eve@example.com");
  const reported = placeReported(page, "dialog=add");
  const searched = page.waitForResponse((response) => response.url().endsWith("/find-symbol"));
  await page.goto("/stocks?dialog=add");
  await page.getByLabel("Symbol").fill("NVDA");
  await Promise.all([reported, searched]);
  const desk = await desktop("/stocks", { allow: SIGNED_OUT });
  await signIn(desk, "eve@example.com");
  await openAccount(desk, "eve@example.com");
  await desk.getByRole("button", { name: /^Sign out Safari on iPhone/ }).click();
  await desk.getByRole("button", { name: /^Sign out Safari on iPhone/ }).waitFor({ state: "detached" });
  await desk.getByText("Safari on iPhone is signed out.").waitFor({ state: "attached" });
  await expect.poll(() => desk.evaluate(() => document.activeElement?.textContent)).toBe("Devices");
  await page.getByRole("button", { name: "Add stock" }).last().tap();
  await page.getByText("You have been signed out.").waitFor();
  expect(new URL(page.url()).search).toBe("?dialog=add");
  await signIn(page, "eve@example.com");
  await expect.poll(() => page.getByLabel("Symbol").inputValue()).toBe("NVDA");
});

it("the agent's changes reach the list of who has signed in again without a reload", async ({
  desktop,
  signIn,
  script,
}) => {
  const model = await script([callTool("add-stock", { symbol: "MSFT" }), say("Added.")]);
  const page = await desktop("/stocks", { allow: SIGNED_OUT });
  const reported = placeReported(page);
  await signIn(page, "again@example.com");
  const message = page.getByLabel("Message to the agent");
  await message.waitFor();
  await page.getByText("Start your list").waitFor();
  await reported;
  expect(await postAs(page, "/_framework/auth/revoke-sessions", {})).toBe(200);
  await message.fill("Too late");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("You have been signed out.").waitFor();
  await signIn(page, "again@example.com");
  await page.getByText("Start your list").waitFor();
  await sendMessage(page, model.prompt("Add Microsoft."));
  await allowOnce(page);
  await page.getByRole("link", { name: "MSFT", exact: true }).waitFor();
});

it("somebody else who signs in after that gets nothing of what was typed", async ({ desktop, signIn }) => {
  const page = await desktop("/", { allow: SIGNED_OUT });
  const reported = placeReported(page);
  await signIn(page, "gone@example.com");
  await page.getByLabel("Message to the agent").fill("A plan of the first one");
  await reported;
  expect(await postAs(page, "/_framework/auth/revoke-sessions", {})).toBe(200);
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("You have been signed out.").waitFor();
  await signIn(page, "next@example.com");
  await page.getByLabel("Message to the agent").waitFor();
  expect(await page.getByLabel("Message to the agent").inputValue()).toBe("");
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain("first one");
});

it("all other devices are signed out by one press, which leaves this one in", async ({ phone, desktop, signIn }) => {
  const page = await phone("/stocks", { allow: SIGNED_OUT });
  await signIn(page, "others@example.com");
  const desk = await desktop("/stocks", { allow: SIGNED_OUT });
  await signIn(desk, "others@example.com");
  await openAccount(desk, "others@example.com");
  await desk.getByRole("button", { name: "Sign out all other devices" }).click();
  await desk.getByRole("button", { name: "Sign out all other devices" }).waitFor({ state: "detached" });
  await desk.getByText("All other devices are signed out.").waitFor({ state: "attached" });
  expect(await postAs(desk, ADD_STOCK, { symbol: "AAPL" })).toBe(200);
  await page.reload();
  await page.getByLabel("Email").waitFor();
});

it("signing out everywhere ends the log-ins of all devices", async ({ phone, desktop, signIn }) => {
  const page = await phone("/stocks", { allow: SIGNED_OUT });
  await signIn(page, "all@example.com");
  const desk = await desktop("/stocks", { allow: SIGNED_OUT });
  await signIn(desk, "all@example.com");
  await openAccount(page, "all@example.com");
  await page.getByRole("button", { name: "Sign out everywhere" }).tap();
  await page.getByRole("heading", { name: "Sign in to Tally" }).waitFor();
  expect(await postAs(desk, ADD_STOCK, { symbol: "AAPL" })).toBe(401);
});

it("who belongs to an organization chooses whether to work in it", async ({ desktop, signIn }) => {
  const page = await desktop("/stocks", { allow: SIGNED_OUT });
  await signIn(page, "org@example.com");
  await openAccount(page, "org@example.com");
  await page.getByText("This device").waitFor();
  expect(await page.getByLabel("Organization", { exact: true }).count()).toBe(0);
  expect(await postAs(page, "/_framework/auth/organization/create", { name: "Acme", slug: "acme" })).toBe(200);
  await page.reload();
  await openAccount(page, "org@example.com");
  const choice = page.getByLabel("Organization", { exact: true });
  await choice.selectOption("Acme");
  const orgId = () => page.evaluate(async () => (await (await fetch("/_framework/session")).json()).orgId);
  await expect.poll(orgId).toMatch(/^[\da-f-]{36}$/);
  await expect.poll(() => choice.locator("option:checked").textContent()).toBe("Acme");
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  await choice.selectOption("None, on my own");
  await expect.poll(orgId).toBeNull();
});

it("an organization is made, somebody is invited to it, declines, joins and leaves", async ({
  phone,
  desktop,
  signIn,
}) => {
  const page = await desktop("/stocks", { allow: SIGNED_OUT });
  await signIn(page, "chair@example.com");
  await openAccount(page, "chair@example.com");
  await page.getByLabel("New organization's name").fill("Harbour");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("chair@example.com").last().waitFor();
  const invite = async () => {
    await page.getByLabel("Invite by email").fill("Mate@example.com");
    await page.getByRole("button", { name: "Invite" }).click();
    await expect.poll(() => page.getByLabel("Invite by email").inputValue()).toBe("");
  };
  await invite();
  await page.getByText("Mate@example.com was sent an invitation.").waitFor();
  const sent = page.getByRole("listitem").filter({ hasText: "mate@example.com" });
  await sent.getByText("invited").waitFor();
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  await page.getByRole("button", { name: "Withdraw the invitation to mate@example.com" }).click();
  await sent.waitFor({ state: "detached" });
  await invite();
  const mate = await phone("/stocks", { allow: SIGNED_OUT });
  await signIn(mate, "mate@example.com");
  await mate.locator(".toast").getByText("Harbour invites you to join.").waitFor();
  await mate.getByRole("button", { name: "See" }).tap();
  await mate.getByText("You are invited to Harbour").waitFor();
  await expectNoAxeViolations(mate, { within: "dialog[open]" });
  await mate.getByRole("button", { name: "Decline" }).tap();
  await mate.getByText("You are invited to Harbour").waitFor({ state: "detached" });
  await invite();
  await mate.reload();
  await openAccount(mate, "mate@example.com");
  await mate.getByRole("button", { name: "Accept" }).tap();
  const choice = mate.getByLabel("Organization", { exact: true });
  await expect.poll(() => choice.locator("option:checked").textContent()).toBe("Harbour");
  // Beside it on a phone, the badge would break the address in the middle of a word.
  const chair = mate.getByRole("listitem").filter({ hasText: "chair@example.com" });
  const address = await chair.getByText("chair@example.com").boundingBox();
  const badge = await chair.getByText("owner").boundingBox();
  expect(badge?.y).toBeGreaterThanOrEqual((address?.y ?? Number.NaN) + (address?.height ?? 0));
  await mate.getByText("chair@example.com").waitFor();
  await mate.getByRole("button", { name: "Leave Harbour" }).tap();
  await choice.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Delete Harbour…" }).click();
  await page.getByRole("button", { name: "Delete Harbour for everyone" }).click();
  await page.getByLabel("Organization", { exact: true }).waitFor({ state: "detached" });
});

it("the organization that is chosen last counts, though the one before is still being entered", async ({
  desktop,
  link,
  signIn,
}) => {
  const page = await desktop("/stocks", { at: link.url, allow: SIGNED_OUT });
  await signIn(page, "both@example.com");
  const create = (name: string) => postAs(page, "/_framework/auth/organization/create", { name, slug: `${name}-two` });
  // One that is made is entered, so the second one is active.
  expect([await create("harbour"), await create("acme")]).toEqual([200, 200]);
  await page.reload();
  await openAccount(page, "both@example.com");
  const choice = page.getByLabel("Organization", { exact: true });
  const letGo = link.hold("set-active");
  await choice.selectOption("None, on my own");
  await choice.selectOption("harbour");
  letGo();
  await page.getByRole("button", { name: "Delete harbour…" }).waitFor();
  expect(await choice.locator("option:checked").textContent()).toBe("harbour");
});

it("an organization is shown as soon as it is made, whenever the first list of them comes", async ({
  desktop,
  signIn,
}) => {
  const page = await desktop("/stocks", { allow: SIGNED_OUT });
  await signIn(page, "early@example.com");
  const late = Promise.withResolvers<void>();
  let isFirst = true;
  await page.route("**/organization/list**", async (route) => {
    if (!isFirst) return await route.continue();
    isFirst = false;
    const response = await route.fetch();
    await late.promise;
    await route.fulfill({ response });
  });
  await openAccount(page, "early@example.com");
  await page.getByLabel("New organization's name").fill("Early Inn");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByLabel("Invite by email").waitFor();
  late.resolve();
  await page.unrouteAll({ behavior: "wait" });
  expect(await page.getByLabel("Organization", { exact: true }).locator("option").allInnerTexts()).toContain(
    "Early Inn",
  );
});

it("an address that is typed while the last one is being invited stays", async ({ desktop, link, signIn }) => {
  const page = await desktop("/stocks", { at: link.url, allow: SIGNED_OUT });
  await signIn(page, "host@example.com");
  await openAccount(page, "host@example.com");
  await page.getByLabel("New organization's name").fill("Inn");
  await page.getByRole("button", { name: "Create" }).click();
  const letGo = link.hold("invite");
  const invite = page.getByLabel("Invite by email");
  await invite.fill("first@example.com");
  await invite.press("Enter");
  await page.getByRole("button", { name: "Invite", disabled: true }).waitFor();
  await invite.fill("second@example.com");
  letGo();
  await page.getByText("first@example.com was sent an invitation.").waitFor({ state: "attached" });
  expect(await invite.inputValue()).toBe("second@example.com");
});

it("a person downloads everything of theirs, then deletes it", async ({ phone, signIn }) => {
  const page = await phone("/stocks", { colorScheme: "dark", allow: SIGNED_OUT });
  await signIn(page, "leaver@example.com");
  expect(await postAs(page, ADD_STOCK, { symbol: "TSLA" })).toBe(200);
  await openAccount(page, "leaver@example.com");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export my data" }).tap(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^tally-[\d-]{10}\.json$/);
  const file: unknown = JSON.parse(await text(await download.createReadStream()));
  expect(JSON.stringify(file)).toMatch(/leaver@example\.com.*TSLA/);
  await page.getByRole("button", { name: "Delete my account…" }).tap();
  const confirm = page.getByLabel("Type leaver@example.com to confirm");
  await confirm.fill("leaver@example.org");
  await page.getByRole("button", { name: "Delete everything" }).tap();
  await page.locator(".field .problem").getByText("Type the address exactly").waitFor();
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  await confirm.fill("Leaver@example.com");
  await page.getByRole("button", { name: "Delete everything" }).tap();
  await page.getByRole("heading", { name: "Sign in to Tally" }).waitFor();
  const kept = await page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }));
  // The page that asks to sign in may have thought of an id for a new chat: that is nothing of the person.
  expect(kept.filter((key) => key !== "tally.fresh-thread")).toEqual([]);
  expect(await page.evaluate(async () => (await fetch("/_framework/session")).status)).toBe(401);
});
