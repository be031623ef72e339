/** A site of a file's own, without sign-in: one identity, and the demo model answers. */
import { expect } from "vitest";
import { itOnOwnSite } from "../../support/browser/screen-test.ts";

const it = itOnOwnSite({ model: "demo" });

it("has an empty trash", async ({ tally }) => {
  expect(await tally.act("list-stocks", { deleted: true })).toMatchObject({ total: 0 });
});

it("answers by the demo model", async ({ tally }) => {
  const turn = await tally.startTurn("t", "what do I own");
  expect(await tally.eventsUntil(turn, "run_end")).toContainEqual(
    expect.objectContaining({ type: "tool_start", tool: "list-stocks" }),
  );
});
