/** Which model a turn goes to: what can be chosen, what is sent, and what a browser keeps of it. */
import { describe, expect, it } from "vitest";
import type { ModelView } from "../../../../../src/contract/models.ts";
import { explainProblem } from "../../../../../src/ui/agent/conversation/explain-problem.ts";
import {
  choiceWords,
  effortOptions,
  isChoice,
  isRefusedChoice,
  modelOf,
  settleChoice,
} from "../../../../../src/ui/agent/model/model-choice.ts";
import { parseChoices, withChat } from "../../../../../src/ui/agent/model/use-model-choice.ts";
import { ApiError } from "../../../../../src/ui/api/api-error.ts";

const model = (id: string, efforts: ModelView["efforts"], isDefault = false): ModelView => ({
  id,
  name: `Model ${id}`,
  isDefault,
  contextTokens: 200_000,
  efforts,
  pricePerMillion: null,
});

const MIDDLE = model("middle", ["low", "high"], true);
const LARGE = model("large", ["high", "max"]);
const SMALL = model("small", []);
const MODELS = [MIDDLE, LARGE, SMALL];

describe("what is sent", () => {
  it.each([
    [{}, {}],
    [{ model: "middle" }, {}],
    [{ model: "large" }, { model: "large" }],
    [{ effort: "low" }, { effort: "low" }],
    [
      { model: "large", effort: "max" },
      { model: "large", effort: "max" },
    ],
    [{ model: "large", effort: "low" }, { model: "large" }],
    [{ model: "small", effort: "high" }, { model: "small" }],
    [{ model: "middle", effort: "" }, {}],
    [{ model: "gone", effort: "high" }, { effort: "high" }],
  ])("of %j is %j", (choice, sent) => {
    expect(settleChoice(choice, MODELS)).toEqual(sent);
  });

  it("is nothing where nothing is offered", () => {
    expect(settleChoice({ model: "large" }, [])).toEqual({});
  });
});

it("a choice that is not offered any more means the default", () => {
  expect([modelOf({ model: "gone" }, MODELS), modelOf({}, MODELS), modelOf({}, [])]).toEqual([
    MIDDLE,
    MIDDLE,
    undefined,
  ]);
});

it.each([
  ["one model without efforts", [SMALL], false],
  ["no model", [], false],
  ["one model with efforts", [MIDDLE], true],
  ["two models without efforts", [SMALL, { ...SMALL, id: "other" }], true],
] as const)("there is something to choose of %s: %s", (_, models, is) => {
  expect(isChoice(models)).toBe(is);
});

it("the default effort comes first and is not named", () => {
  expect(effortOptions(LARGE)).toEqual([
    ["", "Default"],
    ["high", "High"],
    ["max", "Maximum"],
  ]);
  expect([
    choiceWords(LARGE, {}),
    choiceWords(LARGE, { effort: "max" }),
    choiceWords(SMALL, { effort: "max" }),
  ]).toEqual(["Model large", "Model large · Maximum", "Model small"]);
});

describe("a turn that was refused", () => {
  it.each([
    [new ApiError(400, "model: use one of middle, large."), true],
    [new ApiError(400, "effort: use one of low, high."), true],
    [new ApiError(400, "threadId: use at most 200 characters."), false],
    [new ApiError(500, "model: broke."), false],
    [new Error("model: use"), false],
  ])("is one for its model: %s, %s", (error, is) => {
    expect(isRefusedChoice(error)).toBe(is);
  });

  it("says so plainly, and what happens now", () => {
    expect(explainProblem(new ApiError(400, "model: use one of middle, large."))).toBe(
      "model: use one of middle, large. The default is selected again. Resend the message.",
    );
  });

  it("for a whole day does not count its wait in seconds", () => {
    const error = new ApiError(429, "Today's budget is used up.", { retryAfterSeconds: 40_000 });
    expect(explainProblem(error)).toBe("Today's budget is used up. Try again in 12 hours.");
  });
});

describe("what is kept", () => {
  it("comes back", () => {
    const kept = { last: { model: "large" }, chats: [["t1", { model: "small" }] as const, ["t2", {}] as const] };
    expect(parseChoices(JSON.stringify(kept))).toEqual(kept);
  });

  it.each([null, "", "not json", "null", "[]", '"x"', '{"last":1,"chats":{}}', '{"chats":[1,[2],["t"]]}'])(
    "is no choice for %j",
    (stored) => {
      const { last, chats } = parseChoices(stored);
      expect([last, chats.map(([, choice]) => choice).flatMap(Object.keys)]).toEqual([{}, []]);
    },
  );

  it("keeps a chat's newest choice, and so many chats as a person goes back to", () => {
    const many = Array.from({ length: 150 }, (_, index) => `t${index}`);
    const chats = many.reduce((kept, id) => withChat(kept, id, { model: "large" }), parseChoices(null).chats);
    const changed = withChat(chats, "t60", { effort: "low" });
    expect([chats.length, chats[0]?.[0], changed.length, changed.at(-1)]).toEqual([
      ...[100, "t50", 100],
      ["t60", { effort: "low" }],
    ]);
  });
});
