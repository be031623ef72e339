/** What is still told of targets after a run is undone that answered a split, or took such an answer back, and changed targets. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { callTool, say } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { HIGH, LOW, titles, withApple } from "../../support/workerd/told-targets.ts";
import { runAndUndo } from "../../support/workerd/undo-client.ts";

nothingDue();

const SPLIT = { day: "2026-06-10", numerator: 10, denominator: 1 };

type Change = { readonly split: "apply" | "undo" } | { readonly set: { readonly targetLow: string | null } };

/** Such a person, on whose stock a split of ten for one waits. */
const withWaitingSplit = async (targets: Parameters<typeof withApple>[0]) => {
  const ann = await withApple(targets);
  const { id, email } = ann;
  await env.DB.prepare("UPDATE stocks SET pending_split = ? WHERE id = ?").bind(JSON.stringify(SPLIT), id).run();
  const answering = (answer: "apply" | "undo") => ({ id, split: { day: SPLIT.day, answer } });
  const call = (change: Change): Reply =>
    callTool("update-stock", "split" in change ? answering(change.split) : { id, ...change });
  return {
    ...ann,
    answer: async (given: "apply" | "undo") => (await ann.act("update-stock", answering(given))).stock,
    /** A run that makes these changes, and is undone once what is to come between has. */
    undone: (changes: readonly Change[], between?: () => Promise<void>) =>
      runAndUndo(email, [...changes.map(call), say("Done.")], between),
    /** The cron, after the source has given this price. */
    priced: async (price: string) => {
      await ann.quote("price", price);
      await ann.cron();
    },
    marks: () => env.DB.prepare("SELECT alert_marks FROM stocks WHERE id = ?").bind(id).first("alert_marks"),
  };
};

it("the undo of a run that set a target keeps nobody from being told", async () => {
  const ann = await withWaitingSplit({ targetHigh: "1200" });
  await ann.undone([{ split: "apply" }, { set: { targetLow: "100" } }], () => ann.priced("99"));
  expect(await ann.now()).toMatchObject({ targetLow: null, targetHigh: "1200", pendingSplit: SPLIT });
  expect(await ann.answer("apply")).toMatchObject({ targetLow: null, targetHigh: "120" });
  const bob = await withApple({ targetLow: "195" });
  await ann.priced("121");
  expect(titles(await bob.told())).toEqual([LOW]);
  expect(titles(await ann.told())).toEqual([LOW, HIGH]);
});

it("a target that comes back with the undo of a run is another one than the run's, which was told", async () => {
  const ann = await withWaitingSplit({ targetLow: "900" });
  await ann.undone([{ split: "apply" }, { set: { targetLow: "100" } }], () => ann.priced("99"));
  expect(await ann.answer("apply")).toMatchObject({ targetLow: "90" });
  await ann.priced("91");
  expect(titles(await ann.told())).toEqual([LOW]);
  await ann.priced("90");
  expect(titles(await ann.told())).toEqual([LOW, LOW]);
});

it("a target that goes when a split waits again leaves what was told of it", async () => {
  const ann = await withWaitingSplit({ targetLow: "1000", targetHigh: "9000" });
  await ann.answer("apply");
  await ann.undone([{ split: "undo" }, { set: { targetLow: null } }]);
  await ann.priced("99");
  expect(titles(await ann.told())).toEqual([LOW]);
  // The undo of the run has answered the split again.
  expect(await ann.answer("undo")).toMatchObject({ targetLow: null, targetHigh: "9000", pendingSplit: SPLIT });
  expect(await ann.marks()).toContain('"target":"100"');
});

it("marks that an earlier release left without a target keep nobody from being told", async () => {
  const [ann, bob] = [await withApple({ targetLow: "195" }), await withApple({ targetLow: "195" })];
  const marks = JSON.stringify({ low: { target: null, nth: 1, isArmed: false } });
  await env.DB.prepare("UPDATE stocks SET alert_marks = ? WHERE id = ?").bind(marks, ann.id).run();
  await bob.cron();
  await bob.cron();
  expect([titles(await ann.told()), titles(await bob.told())]).toEqual([[LOW], [LOW]]);
});
