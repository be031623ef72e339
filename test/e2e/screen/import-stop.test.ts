/** Stopping an import while it goes on: no press that was meant for it does something else. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { holdNext } from "../../support/browser/hold-next.ts";
import { it } from "../../support/browser/screen-test.ts";

/** Begins an import whose request is held. Call the result to let it go on, or fail. */
const begin = async (page: Page, end: "continue" | "abort" | "fallback"): Promise<() => void> => {
  await page.getByLabel("Paste symbols, lines or a table").fill("AAPL\nMSFT");
  await page.getByRole("button", { name: "Preview" }).click();
  const confirm = page.getByRole("button", { name: "Import 2 stocks" });
  await confirm.waitFor();
  const letGo = await holdNext(page, "**/add-stock", { end });
  await confirm.click();
  await page.getByRole("heading", { name: "Importing" }).waitFor();
  return letGo;
};

/** Refuses all that would add something, from now on. */
const refuseAll = (page: Page): Promise<unknown> =>
  page.route("**/add-stock", (route) =>
    route.request().postDataJSON().dryRun
      ? route.fallback()
      : route.fulfill({ status: 429, json: { error: "Too many requests." } }),
  );

/** What a press there presses. */
const buttonAt = (page: Page, [x, y]: readonly [number, number]): Promise<string | undefined> =>
  page.evaluate(([left, top]) => document.elementFromPoint(left, top)?.closest("button")?.textContent, [x, y] as const);

it("nothing comes in the place of Stop, when the import is paused or has ended", async ({ phone }) => {
  const page = await phone("/stocks?dialog=import", { allow: [/ERR_FAILED/] });
  const letFail = await begin(page, "abort");
  const stop = page.getByRole("button", { name: "Stop", exact: true });
  const { x, y, width, height } = (await stop.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const place = [x + width / 2, y + height / 2] as const;
  expect(await buttonAt(page, place)).toBe("Stop");
  letFail();
  await page.getByRole("heading", { name: "Import paused" }).waitFor();
  expect(await buttonAt(page, place)).toBe("Stop");
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("heading", { name: "Import finished" }).waitFor();
  await page.getByRole("button", { name: "Undo import" }).waitFor();
  expect(await buttonAt(page, place)).toBeUndefined();
});

it("what was refused and not taken up again was not added, unless an earlier answer to it was lost", async ({
  desktop,
}) => {
  const page = await desktop("/stocks", { allow: [/ERR_FAILED/, /status of 429/] });
  const press = (name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();
  const stop = async (): Promise<void> => {
    await page.getByRole("heading", { name: "Import paused" }).waitFor();
    await press("Stop");
    await press("Stop the import");
    await page.getByRole("heading", { name: "Import finished" }).waitFor();
  };
  await press("Import");
  const letFail = await begin(page, "abort");
  await refuseAll(page);
  letFail();
  await page.getByText("The server cannot be reached.").waitFor();
  await press("Resume");
  await page.getByText("Too many requests. Nothing is added twice when you resume.").waitFor();
  await stop();
  expect(await page.getByText("No answer arrived, so it may already be in your list.").count()).toBe(2);

  await press("Import more");
  // The latest route comes first: this one holds what the others would refuse.
  const letGo = await begin(page, "fallback");
  await page.goBack();
  await page.getByRole("heading", { name: "Importing" }).waitFor({ state: "detached" });
  letGo();
  await page.getByText("The import is paused. Too many requests. Open Import to continue.").waitFor();
  await press("Import");
  await stop();
  expect(await page.getByText("Not added: the import was stopped.").count()).toBe(2);
});

it("the question whether to stop does not come back as one whether to discard", async ({ desktop }) => {
  const page = await desktop("/stocks?dialog=import");
  const letGo = await begin(page, "continue");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("dialog", { name: "Stop the import?" }).waitFor();
  letGo();
  await page.getByRole("heading", { name: "Import finished" }).waitFor();
  await page.getByRole("button", { name: "Import more" }).click();
  await page.getByLabel("Paste symbols, lines or a table").fill("N");
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("button", { name: "Import 1 stock" }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(1);
});

it("as long as an import goes on the page is not left unasked, though its dialog is closed", async ({ desktop }) => {
  const page = await desktop("/stocks");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const letGo = await begin(page, "continue");
  await page.goBack();
  await page.getByRole("heading", { name: "Importing" }).waitFor({ state: "detached" });
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  letGo();
  await page
    .locator(".toast")
    .getByText(/^Import finished: 2 stocks/)
    .waitFor();
  const closed = page.waitForEvent("close");
  await page.close({ runBeforeUnload: true });
  await closed;
});
