/** Signing in by a code: the two steps, what can go wrong in them, and where a person is afterwards. */
import { expect } from "vitest";
import { placeReported, postAs } from "../../support/browser/account-steps.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { holdNext } from "../../support/browser/hold-next.ts";
import { hideTab, stopClock } from "../../support/browser/page-life.ts";
import { askForCode, it, itWithLimits, otherCode, SIGNED_OUT } from "../../support/browser/sign-in-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";

const WRONG_CODE = [...SIGNED_OUT, /status of 400/];

it("a person signs in on a phone, and is where they wanted to be", async ({ phone, nextCode }) => {
  const page = await phone("/stocks?tab=watchlist&q=tesla", { colorScheme: "light", allow: SIGNED_OUT });
  const email = page.getByLabel("Email");
  await waitForFocus(email);
  expect(await page.title()).toBe("Sign in to Tally · Tally");
  expect(await email.getAttribute("autocomplete")).toBe("username");
  await expectNoAxeViolations(page);
  await askForCode(page, "Phone@Example.com");
  const code = page.getByLabel("Code", { exact: true });
  await waitForFocus(code);
  expect(await code.getAttribute("autocomplete")).toBe("one-time-code");
  expect(await code.getAttribute("inputmode")).toBe("numeric");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectNoAxeViolations(page);
  // Pasted as some mails write it; six digits need no button.
  await code.fill(` ${(await nextCode("phone@example.com")).replace(/^.../, "$& ")}`);
  await page.getByRole("heading", { level: 1, name: "Stocks" }).waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/stocks?tab=watchlist&q=tesla");
  await page.reload();
  await page.getByRole("button", { name: "Account of phone@example.com" }).waitFor();
});

it("what cannot be an address is refused where it was typed", async ({ desktop }) => {
  const page = await desktop("/", { colorScheme: "dark", allow: SIGNED_OUT });
  await page.getByLabel("Email").fill("ann at example");
  await page.keyboard.press("Enter");
  await page.locator("main").getByText("Enter an address such as ann@example.com.").first().waitFor();
  expect(await page.getByLabel("Email").getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("email");
  await expectNoAxeViolations(page);
});

it("a wrong code is cleared and said to be wrong, and the right one still counts", async ({ desktop, nextCode }) => {
  const page = await desktop("/stocks", { colorScheme: "dark", allow: WRONG_CODE });
  await askForCode(page, "wrong@example.com");
  const right = await nextCode("wrong@example.com");
  const code = page.getByLabel("Code", { exact: true });
  await code.fill(otherCode(right));
  await page.locator(".problem").getByText("This code is wrong or has expired.").waitFor();
  await page.locator("[aria-live]").getByText("This code is wrong or has expired.").waitFor({ state: "attached" });
  expect(await code.inputValue()).toBe("");
  await waitForFocus(code);
  await expectNoAxeViolations(page);
  await code.fill(right);
  await page.getByRole("heading", { level: 1, name: "Stocks" }).waitFor();
});

it("after five wrong codes only a new one counts", async ({ desktop, nextCode }) => {
  const page = await desktop("/stocks", { allow: WRONG_CODE });
  await page.clock.install();
  await askForCode(page, "tries@example.com");
  const wrong = otherCode(await nextCode("tries@example.com"));
  const code = page.getByLabel("Code", { exact: true });
  // The field is emptied once the page has read the answer, and takes nothing before.
  const tryWrong = async () => {
    await code.fill(wrong);
    await expect.poll(() => code.inputValue()).toBe("");
  };
  await tryWrong();
  await tryWrong();
  await tryWrong();
  await tryWrong();
  await tryWrong();
  await page.locator(".problem").getByText("Too many wrong attempts with this code.").waitFor();
  // Which of both depends on how long the tries took.
  await page.getByRole("button", { name: /^(New code in \d+ seconds?|Send a new code)$/ }).waitFor();
  await page.clock.fastForward(30_000);
  await page.getByRole("button", { name: "Send a new code" }).click();
  await code.fill(await nextCode("tries@example.com"));
  await page.getByRole("heading", { level: 1, name: "Stocks" }).waitFor();
});

// That the server refuses the right one by then is held by the Worker's tests, which have its clock.
it("a code that is refused after its five minutes is said to have expired", async ({ desktop, nextCode }) => {
  const page = await desktop("/stocks", { allow: WRONG_CODE });
  await page.clock.install();
  await askForCode(page, "late@example.com");
  const wrong = otherCode(await nextCode("late@example.com"));
  await page.clock.fastForward(301_000);
  await page.getByLabel("Code", { exact: true }).fill(wrong);
  await page.locator(".problem").getByText("This code has expired. Send a new one.").waitFor();
});

it("who reads the mail in another app enters the code, though the phone has dropped the page", async ({
  phone,
  nextCode,
}) => {
  const page = await phone("/stocks", { allow: SIGNED_OUT });
  // Somebody was signed in on this browser, in another tab than this one.
  await page.evaluate(() => localStorage.setItem("tally.person", "dropped@example.com 1"));
  await askForCode(page, "dropped@example.com");
  await hideTab(page);
  await page.reload();
  await page.getByText("We sent a 6-digit code to dropped@example.com.").waitFor();
  // Which of both depends on how long the reload took.
  await page.getByRole("button", { name: /^(New code in \d+ seconds?|Send a new code)$/ }).waitFor();
  await page.getByLabel("Code", { exact: true }).fill(await nextCode("dropped@example.com"));
  await page.getByRole("heading", { level: 1, name: "Stocks" }).waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem("tally.sign-in"))).toBeNull();
});

itWithLimits("who asks for too many codes is told how long to wait", async ({ phone, site }) => {
  const body = JSON.stringify({ email: "often@example.com" });
  const ask = { method: "POST", headers: { "content-type": "application/json" }, body };
  const askAgain = () => fetch(`${site.url}/_framework/auth/email-otp/send-verification-otp`, ask);
  const answers = [await askAgain(), await askAgain(), await askAgain(), await askAgain(), await askAgain()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const page = await phone("/", { allow: [...SIGNED_OUT, /status of 429/] });
  await page.getByLabel("Email").fill("often@example.com");
  await page.getByRole("button", { name: "Send me a code" }).tap();
  await page
    .locator(".problem")
    .getByText(/^Too many requests\. Try again in \d+ minutes\.$/)
    .waitFor();
});

it("without a connection it says so, and goes on once there is one", async ({ phone, link, nextCode }) => {
  const page = await phone("/stocks", { at: link.url, allow: [...SIGNED_OUT, /ERR_/] });
  await page.getByLabel("Email").fill("away@example.com");
  link.goDown();
  await page.getByRole("button", { name: "Send me a code" }).tap();
  await page.locator(".problem").getByText("The server cannot be reached.").waitFor();
  link.goUp();
  await page.getByRole("button", { name: "Send me a code" }).tap();
  const code = page.getByLabel("Code", { exact: true });
  await code.waitFor();
  const right = await nextCode("away@example.com");
  link.goDown();
  await code.fill(right);
  await page.locator(".problem").getByText("The server cannot be reached.").waitFor();
  expect(await code.inputValue()).toBe(right);
  link.goUp();
  await page.getByRole("button", { name: "Sign in" }).tap();
  await page.getByRole("heading", { level: 1, name: "Stocks" }).waitFor();
});

it("by keyboard alone, with another address on second thought", async ({ desktop, nextCode }) => {
  const page = await desktop("/", { allow: SIGNED_OUT });
  await page.getByLabel("Email").waitFor();
  // Quicker than the next frame of the page.
  await stopClock(page);
  await page.keyboard.type("typo@example.com");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Change email" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Email").waitFor();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("keys@example.com");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Enter the code" }).waitFor();
  await page.keyboard.type(await nextCode("keys@example.com"));
  await page.clock.resume();
  await page.getByRole("button", { name: "Account of keys@example.com" }).waitFor();
});

it("the next person's page is loaded only once this browser gets no pushes of the one before", async ({
  desktop,
  signIn,
}) => {
  const page = await desktop("/", { allow: SIGNED_OUT });
  const reported = placeReported(page);
  await signIn(page, "pushed@example.com");
  await reported;
  const left = Promise.withResolvers<void>();
  await page.exposeFunction("askedForDevice", () => left.resolve());
  expect(await postAs(page, "/_framework/auth/revoke-sessions", {})).toBe(200);
  await page.getByLabel("Message to the agent").fill("Hello");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("You have been signed out.").waitFor();
  // Without a service worker there is no device, but this page looks for one.
  await page.evaluate(() => {
    const ask = navigator.serviceWorker.getRegistration.bind(navigator.serviceWorker);
    navigator.serviceWorker.getRegistration = async (...args) => {
      await Reflect.get(window, "askedForDevice")();
      return await ask(...args);
    };
  });
  const isAsked = page.waitForRequest(/\/leave-device-[^/]*\.js$/);
  const goOn = await holdNext(page, /\/leave-device-[^/]*\.js$/, { method: "GET" });
  const signedIn = signIn(page, "spared@example.com");
  await isAsked;
  goOn();
  await left.promise;
  await signedIn;
});
