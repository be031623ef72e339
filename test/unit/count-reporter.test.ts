import { expect, it } from "vitest";
import { formatCounts } from "../support/count-reporter.ts";

it("counts passed and failed tests", () => {
  expect(formatCounts({ passed: 12, failed: 0, skipped: 0 })).toBe("12 passed, 0 failed");
});

it("names skipped tests when there are any", () => {
  expect(formatCounts({ passed: 12, failed: 1, skipped: 2 })).toBe("12 passed, 1 failed, 2 skipped");
});
