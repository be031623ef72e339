/**
 * Before each worker test file: what the Worker logs is kept, and printed for a test that fails. Vitest would send each line to
 * its own process and wait for the answer; a line that an object's alarm writes while a file ends takes that connection with
 * it, and the whole run waits for ever.
 */
import { beforeEach, onTestFailed } from "vitest";
import { z } from "zod";

/** Lines that are kept at most, the newest ones: a test that loops must not fill the memory. */
const MAX_LINES = 200;

const lines: string[] = [];

const keep = (...parts: readonly unknown[]): void => {
  lines.push(parts.map(String).join(" "));
  if (lines.length > MAX_LINES) lines.shift();
};

/** Each file has this module anew, and the console of the one before. */
const Known = z.object({ firstLog: z.custom<typeof console.log>((value) => typeof value === "function") });
const print = Known.safeParse(globalThis).data?.firstLog ?? console.log;
Object.assign(globalThis, { firstLog: print });

for (const level of ["debug", "log", "info", "warn", "error"] as const) console[level] = keep;

beforeEach(() => {
  lines.length = 0;
  onTestFailed(() => print(lines.join("\n")));
});
