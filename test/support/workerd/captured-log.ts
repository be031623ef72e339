/** What the Worker and its objects write to the log while a test runs, as objects. */
import { onTestFinished, vi } from "vitest";
import { z } from "zod";

const Line = z.record(z.string(), z.unknown());
type Line = z.infer<typeof Line>;

/** Longest wait for a line, in ms: below a test's own time-out. */
const WAIT_MS = 20_000;

const LEVELS = ["log", "info", "warn", "error"] as const;

/** Captures the console until the test is over; nothing is printed meanwhile. Call it inside a test. */
export const captureLog = () => {
  const texts: string[] = [];
  for (const level of LEVELS) {
    const original = console[level];
    console[level] = (text: unknown) => {
      texts.push(String(text));
    };
    onTestFinished(() => {
      console[level] = original;
    });
  }
  const lines = (fields: Line): Line[] =>
    texts
      .map((text) => Line.parse(JSON.parse(text)))
      .filter((line) => Object.entries(fields).every(([name, value]) => line[name] === value));
  return {
    /** All of it, as it would have been printed. */
    text: () => texts.join("\n"),
    /** The lines so far that have these fields. */
    lines,
    /**
     * The same, once there are any. Looked for again and again: a promise that the writer's request kept would go on in
     * that request, and end with it.
     */
    wait: async (fields: Line): Promise<Line[]> => {
      await vi.waitUntil(() => lines(fields).length > 0, { timeout: WAIT_MS });
      return lines(fields);
    },
  };
};
