/** Turns that change stocks: whatever happens, each change is there once, and the transcript says so. */
import { z } from "zod";
import { say } from "../../support/model-script.ts";
import { callStep } from "./calls.ts";
import { addProblems, stocksNamed } from "./effects.ts";
import { allowOnce, answerWaiting, callsOf, type Scenario } from "./scenario.ts";

const Added = z.object({ stock: z.object({ id: z.string() }) });

const symbolsOf = (prefix: string) => [`${prefix}A`, `${prefix}B`, `${prefix}C`];

/** Three additions at once, each allowed; then the same again, which must find all three there. */
export const additions: Scenario = (id) => {
  const prefix = `K${id}X`;
  const add = (step: number) =>
    callStep(
      id,
      step,
      symbolsOf(prefix).map((symbol) => ({ name: "add-stock", input: { symbol, quantity: "1" } })),
    );
  return {
    name: "additions",
    turns: [{ text: "Add", steps: [add(1), add(2), () => say("Added.", { deltas: 2 })], react: allowOnce }],
    mayEnd: ["completed"],
    problems: addProblems(prefix),
  };
};

/** The first addition is allowed for ever: the rule must be there for the next ones, once. */
export const standingRule: Scenario = (id) => {
  const prefix = `K${id}R`;
  const add = (step: number, symbol: string) => callStep(id, step, [{ name: "add-stock", input: { symbol } }]);
  const [a = "", b = "", c = ""] = symbolsOf(prefix);
  return {
    name: "standing rule",
    turns: [
      {
        text: "Add for ever",
        steps: [add(1, a), add(2, b), add(3, c), () => say("Added.")],
        react: answerWaiting("allow_always"),
      },
    ],
    mayEnd: ["completed"],
    problems: async (turns, around) => {
      const replies = turns.flatMap(({ events }) => events.filter(({ type }) => type === "permission_reply"));
      const by = replies.map((event) => (event.type === "permission_reply" ? event.by : "")).join();
      return [
        ...(await addProblems(prefix)(turns, around)),
        ...(by === "user,rule,rule" ? [] : [`a standing rule was answered by ${by}`]),
      ];
    },
  };
};

/** One stock is changed three times: its version counts how often it really was. */
export const updates: Scenario = (id) => {
  const symbol = `K${id}U`;
  let stockId = "";
  const update = (step: number) => () =>
    callStep(id, step, [{ name: "update-stock", input: { id: stockId, set: { notes: `change ${step}` } } }])(1);
  return {
    name: "updates",
    prepare: async ({ site }) => {
      const input = { symbol, idempotencyKey: `add-${id}` };
      stockId = (await site.read(Added, "/_framework/actions/add-stock", input)).stock.id;
    },
    turns: [{ text: "Update", steps: [update(1), update(2), update(3), () => say("Done.")], react: allowOnce }],
    mayEnd: ["completed"],
    problems: async (_, around) => {
      const [stock] = await stocksNamed(symbol, around);
      return stock?.version === 4 ? [] : [`${symbol} has version ${stock?.version} after three changes`];
    },
  };
};

/** A person says no, and why: nothing changes, and the model is told. */
export const rejection: Scenario = (id) => {
  const symbol = `K${id}N`;
  return {
    name: "rejection",
    turns: [
      {
        text: "Add what is not wanted",
        steps: [callStep(id, 1, [{ name: "add-stock", input: { symbol } }]), () => say("Then not.")],
        react: (event, person) => {
          if (event.type === "permission_request") person.answer(event, "reject", `not ${symbol}`);
        },
      },
    ],
    mayEnd: ["completed"],
    problems: async (turns, around) => {
      const statuses = turns.flatMap(({ events }) => callsOf(events, "add-stock")).map(({ status }) => status);
      const there = await stocksNamed(symbol, around);
      return statuses.join() === "denied" && there.length === 0
        ? []
        : [`rejected: ${statuses.join()}, ${there.length} there`];
    },
  };
};

/** The answer comes only after the restart, twice: the request has waited for it. */
export const patience: Scenario = (id) => {
  const prefix = `K${id}W`;
  const [symbol = ""] = symbolsOf(prefix);
  return {
    name: "patience",
    turns: [
      {
        text: "Ask and wait",
        steps: [callStep(id, 1, [{ name: "add-stock", input: { symbol } }]), () => say("Added.")],
        react: (event, person) => {
          if (event.type === "permission_request") person.answerAfterRestart(event, "allow_once");
        },
      },
    ],
    mayEnd: ["completed"],
    problems: addProblems(prefix),
  };
};
