/** What the Worker and its objects write to the log while a test runs, as objects. */
import { onTestFinished } from "vitest";
import { z } from "zod";

const Line = z.record(z.string(), z.unknown());
type Line = z.infer<typeof Line>;

const LEVELS = ["log", "info", "warn", "error"] as const;

/** Reads the console until the test is over; nothing is printed meanwhile. Called inside a test. */
export const captureLog = () => {
  const texts: string[] = [];
  let written = Promise.withResolvers<void>();
  for (const level of LEVELS) {
    const original = console[level];
    console[level] = (text: unknown) => {
      texts.push(String(text));
      written.resolve();
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
    /** The same, once there are any. */
    wait: async (fields: Line): Promise<Line[]> => {
      while (lines(fields).length === 0) {
        written = Promise.withResolvers();
        await written.promise;
      }
      return lines(fields);
    },
  };
};
