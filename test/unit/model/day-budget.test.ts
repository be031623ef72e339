/** How the day's budgets are read, what is left of them, and when a day ends. */
import { expect, it } from "vitest";
import { dayOf, secondsLeftOf } from "../../../src/contract/day.ts";
import { dayLeft, isUsedUp, readDayBudgets, unreadableDayBudgets } from "../../../src/model/budgets.ts";

it("are none where neither is set, and else those that are", () => {
  expect(readDayBudgets({ AGENT_DAY_BUDGET_USD: " " })).toBeUndefined();
  expect(readDayBudgets({ AGENT_OWNER_DAY_BUDGET_USD: "0.50" })).toEqual({ ownerUsd: "0.5", allUsd: undefined });
  expect(readDayBudgets({ AGENT_DAY_BUDGET_USD: 20 })).toEqual({ ownerUsd: undefined, allUsd: "20" });
});

it("are named where they cannot be read", () => {
  expect(unreadableDayBudgets({ AGENT_OWNER_DAY_BUDGET_USD: "$5", AGENT_DAY_BUDGET_USD: "0" })).toEqual([
    "AGENT_OWNER_DAY_BUDGET_USD",
    "AGENT_DAY_BUDGET_USD",
  ]);
  expect(unreadableDayBudgets({ AGENT_OWNER_DAY_BUDGET_USD: "5" })).toEqual([]);
});

it.each([
  [{ ownerUsd: "5", allUsd: "20" }, { owner: "4.9", all: "10" }, "0.1"],
  [{ ownerUsd: "5", allUsd: "20" }, { owner: "0", all: "19" }, "1"],
  [{ ownerUsd: "5", allUsd: undefined }, { owner: "0", all: "900" }, "5"],
  [{ ownerUsd: undefined, allUsd: "20" }, { owner: "900", all: "20.5" }, "0"],
])("leave of %j, after %j, %s dollars", (budgets, spent, left) => {
  expect(dayLeft(budgets, spent)).toBe(left);
});

it("are used up when all of it is spent, not before", () => {
  expect([isUsedUp("0.05", "0.049"), isUsedUp("0.05", "0.05"), isUsedUp("0", "0")]).toEqual([false, true, true]);
});

it("are those of a day by UTC, which ends at midnight", () => {
  expect(dayOf(Date.parse("2026-11-22T23:59:59.999Z"))).toBe("2026-11-22");
  expect(dayOf(Date.parse("2026-11-23T00:00:00.000Z"))).toBe("2026-11-23");
  expect(secondsLeftOf(Date.parse("2026-11-22T23:59:59.999Z"))).toBe(1);
  expect(secondsLeftOf(Date.parse("2026-11-23T00:00:00.000Z"))).toBe(86_400);
});
