/** What goes wrong is said once, with a way out where there is one, and goes when it is over. */
import { expect } from "vitest";
import { it } from "../../support/browser/screen-test.ts";
import { untilSeen } from "../../support/browser/until-seen.ts";
import { callTool, say, think } from "../../support/model-script.ts";
import type { Frame } from "../../support/model-server/reply.ts";
import { fail, rateLimited, unauthorized } from "../../support/model-troubles.ts";
import { composer, log, runEnd, sendMessage } from "./agent-page.ts";

const SOON = { "retry-after-ms": "10" };

const BUSY = /The model (is|was) getting too many requests/;

it("tries one after the other are one notice, and none beside the failure they end in", async ({ phone, script }) => {
  const limited = rateLimited(SOON);
  const model = await script([limited, limited, say("At last."), limited, limited, limited, limited]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Hurry."));
  await log(page).getByText("At last.").waitFor();
  await runEnd(page).waitFor();
  expect(await log(page).getByText(BUSY).allInnerTexts()).toEqual([
    "The model was getting too many requests. Retried (2 of 3).",
  ]);
  await sendMessage(page, "Again.");
  await runEnd(page, 1).waitFor();
  expect(await log(page).getByText(BUSY).count()).toBe(1);
  await log(page).getByText("Something went wrong: ").waitFor();
  await log(page).getByRole("button", { name: "Try again" }).waitFor();
});

it.for([
  ["a key that is refused", unauthorized()],
  ["a request that is refused", fail(404, "not_found_error", "model: none")],
] as const)("nothing is tried again after %s", async ([, reply], { phone, script }) => {
  const model = await script([reply]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Hello."));
  await runEnd(page).waitFor();
  await log(page).getByText("Something went wrong: ").waitFor();
  expect(await log(page).getByRole("button", { name: "Try again" }).count()).toBe(0);
});

it("a call that failed says why without being unfolded", async ({ desktop, script }) => {
  const model = await script([callTool("get-stock", { symbol: "NOPE" }), say("There is none.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Show NOPE."));
  await runEnd(page).waitFor();
  await log(page).getByText("Stock not found.").waitFor();
});

it("a call whose input was refused is named once", async ({ desktop, script }) => {
  const model = await script([callTool("read_file", {}), say("I cannot.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Read it."));
  await runEnd(page).waitFor();
  const card = log(page).locator("summary", { hasText: "read_file" });
  expect((await card.innerText()).split(/\s+/)).toEqual(["read_file", "Failed"]);
});

it("says once that the model thinks", async ({ phone, script }) => {
  const { frames, ...reply } = think("Hm, let me see.", "An answer.");
  const held = {
    ...reply,
    frames: frames.flatMap<Frame>((frame) => (frame.type === "thinking" ? [frame, HOLD] : [frame])),
  };
  const model = await script([held]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Think."));
  await log(page).getByText("Thoughts so far").waitFor();
  expect(await log(page).getByText("Thinking…").count()).toBe(1);
  await model.release();
  await runEnd(page).waitFor();
  expect(await log(page).getByText("Thinking…").count()).toBe(0);
});

const HOLD = { type: "hold" } as const;

it("a message that could not be sent no longer says so once the server is there again", async ({ phone, link }) => {
  const page = await phone("/", { at: link.url, allow: [/ERR_/] });
  await composer(page).waitFor();
  link.goDown();
  await sendMessage(page, "Hello?");
  const problem = page.getByText("The server cannot be reached.");
  await problem.waitFor();
  link.goUp();
  await problem.waitFor({ state: "detached" });
  expect(await composer(page).inputValue()).toBe("Hello?");
});

it("a list that could not be loaded loads by itself once the server is there again", async ({ phone, tally, link }) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const letGo = link.hold("list-stocks");
  const page = await phone("/stocks", { at: link.url, allow: [/ERR_/, /^page error: $/] });
  await page.getByRole("status", { name: "Loading your stocks" }).waitFor();
  link.goDown();
  letGo();
  await page.getByRole("heading", { name: "Your stocks could not be loaded" }).waitFor();
  // No count of what is not known.
  expect(await page.getByRole("heading", { name: /^Stocks/ }).innerText()).toBe("Stocks");
  link.goUp();
  await page.getByRole("listitem").filter({ hasText: "AAPL" }).waitFor();
});

it("where further chats cannot be loaded, that is said", async ({ desktop, script }) => {
  const model = await script([say("Hello.")]);
  const page = await desktop("/", { allow: [/ERR_/, /threads/] });
  await sendMessage(page, model.prompt("Hello"));
  await runEnd(page).waitFor();
  await page.route(/threads(\?|$)/, async (route) => {
    if (route.request().url().includes("cursor=")) return await route.abort();
    const response = await route.fetch();
    return await route.fulfill({ response, json: { ...(await response.json()), nextCursor: "further" } });
  });
  await page.reload();
  const chats = page.getByRole("navigation", { name: "Chats" });
  // The list is read again as soon as the server is there, which it is.
  const isSaid = untilSeen(page, ".threads [role=alert]", "The server cannot be reached.");
  await chats.getByRole("button", { name: "Show more" }).click();
  await isSaid;
  expect(await chats.getByRole("link", { name: /Hello/ }).count()).toBe(1);
});
