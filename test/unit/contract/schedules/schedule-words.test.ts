import { expect, it } from "vitest";
import { cronWords, timingWords } from "../../../../src/contract/schedules/schedule-words.ts";

it.each([
  ["0 8 * * *", "every day at 08:00"],
  ["5 17 * * 1-5", "every weekday at 17:05"],
  ["0 8 * * 1", "every Monday at 08:00"],
  ["30 9 * * 7", "every Sunday at 09:30"],
  ["0 8 * * 1,3,5", "every Monday, Wednesday and Friday at 08:00"],
  ["0 8 * * 0,7", "every Sunday at 08:00"],
  ["0 8 * * 7,6,0", "every Sunday and Saturday at 08:00"],
  ["0 8 01 * *", "on day 1 of every month at 08:00"],
  ["*/15 * * * *", "every 15 minutes"],
  ["0 * * * *", "every hour"],
  ["20 * * * *", "every hour, 20 minutes past"],
])("%s is %s", (cron, words) => {
  expect(cronWords(cron)).toBe(words);
});

it.each([
  ...[
    "0 8 1 * 1",
    "0 8 * 1 *",
    "0,30 8 * * *",
    "0 8-10 * * *",
    "*/45 * * * *",
    "0 8 * * 1-6",
    "0 8 * * 8",
    "0 8 0 * *",
    "0 8 29 * *",
    "0 8 31 * *",
  ],
  ...["60 8 * * *", "0 24 * * *", "0 8 * *", "0 8 * * 1 2", "", "*/0 * * * *", "0 */2 * * *"],
])("%s has no words that say it exactly", (cron) => {
  expect(cronWords(cron)).toBeUndefined();
});

it("a time that comes once is named by its date, and other expressions by themselves", () => {
  expect(timingWords({ once: "2026-12-24T18:00" })).toBe("once, 2026-12-24 at 18:00");
  expect(timingWords({ cron: "0 8 1 * 1" })).toBe("at the times of 0 8 1 * 1");
});
