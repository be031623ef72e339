/** What the demo model asks, plans and ticks off, so that a person can try it without a key. Pure. */
import type { DoneCall } from "./demo-answer.ts";
import type { Wish } from "./demo-intent.ts";

/** A call that has no id yet. */
type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** How the context block of a turn in plan mode says so (`harness/plan-mode.ts`). */
export const PLAN_MODE = "This turn is in plan mode";

const CHANGES: ReadonlySet<string> = new Set(["add-stock", "write_file", "delete_file", "run_shell"]);

const CHANGING_WISHES: ReadonlySet<Wish["type"]> = new Set(["delete_stock", "update_stock", "watch_stock"]);

/** Whether a wish would change something. */
export const changesSomething = (wish: Wish): boolean =>
  CHANGING_WISHES.has(wish.type) || (wish.type === "call" && CHANGES.has(wish.tool));

/** The plan for a wish, in the person's own words. */
export const planFor = (prompt: string): Call => ({
  name: "propose_plan",
  input: { markdown: `## Plan\n\n1. Do what you asked for: ${prompt}\n2. Tell you what has changed` },
});

const STEPS = ["Look at the list", "Look for targets that are reached"];

const LOOKS: readonly Call[] = [
  { name: "list-stocks", input: {} },
  { name: "list-stocks", input: { targetHit: true } },
];

const todos = (done: number): Call => ({
  name: "set_todos",
  input: {
    items: STEPS.map((text, nth) => ({ text, state: nth < done ? "done" : nth === done ? "doing" : "open" })),
  },
});

/** The next call of a review, which ticks its steps; undefined when it is through. */
export const nextOfReview = (done: readonly DoneCall[]): Call | undefined => {
  const nth = Math.floor(done.length / 2);
  return done.length % 2 === 0 ? (nth <= STEPS.length ? todos(nth) : undefined) : LOOKS[nth];
};
