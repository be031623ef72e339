/** A turn that calls every action, and one that waits behind it: all statements that a turn sends to D1. */
import { z } from "zod";
import { say } from "../../support/model-script.ts";
import { callStep } from "../scenarios/calls.ts";
import { addProblems, stocksNamed } from "../scenarios/effects.ts";
import { allowOnce, type Plan } from "../scenarios/scenario.ts";

const Added = z.object({ stock: z.object({ id: z.string() }) });

/** Makes it. */
export const writePlan = (id: string): Plan => {
  const prefix = `K${id}M`;
  const symbol = `K${id}O`;
  let stockId = "";
  const call = (step: number, name: string, input: () => Readonly<Record<string, unknown>>) => () =>
    callStep(id, step, [{ name, input: input() }])(1);
  return {
    name: "every action",
    prepare: async ({ site }) => {
      const input = { symbol, idempotencyKey: `add-${id}` };
      stockId = (await site.read(Added, "/_framework/actions/add-stock", input)).stock.id;
    },
    turns: [
      {
        text: "Use every action",
        steps: [
          call(1, "list-stocks", () => ({})),
          call(2, "get-stock", () => ({ id: stockId })),
          call(3, "add-stock", () => ({ symbol: `${prefix}A` })),
          call(4, "update-stock", () => ({ id: stockId, set: { notes: "changed" } })),
          call(5, "delete-stock", () => ({ id: stockId })),
          call(6, "view-screen", () => ({})),
          () => say("Done."),
        ],
        react: allowOnce,
      },
      { text: "Wait", steps: [() => say("Done, too.")] },
    ],
    mayEnd: ["completed"],
    problems: async (turns, around) => {
      const ended = turns.flatMap(({ events }) => events).filter(({ type }) => type === "tool_end");
      const bad = ended.filter((event) => event.type === "tool_end" && event.status !== "completed");
      return [
        ...(await addProblems(prefix)(turns, around)),
        ...((await stocksNamed(symbol, around)).length === 0 ? [] : [`${symbol} was not deleted`]),
        ...bad.map((event) => `a call ended ${JSON.stringify(event)}`),
      ];
    },
  };
};
