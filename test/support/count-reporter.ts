/** The very last line of a test run: `N passed, N failed`, and `, N skipped` when there are any. */
import type { Reporter, TestModule } from "vitest/node";

/** Counts of one run. A file that cannot be loaded and an error outside of tests count as one failed test each. */
export type Counts = { passed: number; failed: number; skipped: number };

/** The line as it is printed, without its line end. */
export const formatCounts = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;

const countTests = (modules: readonly TestModule[]): Counts => {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const module of modules) {
    counts.failed += module.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      // A test that is still pending when the run ends was never finished.
      counts[state === "pending" ? "failed" : state] += 1;
    }
  }
  return counts;
};

/** Listed last in `reporters` of vitest.config.ts. */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = countTests(modules);
    counts.failed += unhandledErrors.length;
    // At exit, because runtimes that are still being shut down may log after this.
    process.once("exit", () => process.stdout.write(`${formatCounts(counts)}\n`));
  }
}
