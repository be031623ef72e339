/** Reading a body within its limits: what comes in time, what is too much, and what never comes. */
import { describe, expect, it } from "vitest";
import { readBody } from "../../../src/http/read-body.ts";

/** Long enough for whatever comes at all. */
const LIMITS = { maxBytes: 10, maxMs: 60_000 };

/** What is taken in of a refused one. */
const REST = { maxBytes: 5, maxMs: 60_000 };

/** Gives these chunks, one for each read, then whatever `after` does; what was done about it is written down. */
const bodyOf = (chunks: readonly string[], after: (controller: ReadableStreamDefaultController) => void) => {
  const left = chunks.values();
  const seen = { reads: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        seen.reads += 1;
        const { value, done } = left.next();
        if (done) after(controller);
        else controller.enqueue(new TextEncoder().encode(value));
      },
      cancel: () => {
        seen.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
};

const ends = (controller: ReadableStreamDefaultController) => controller.close();
const stalls = () => new Promise<never>(() => {});

const read = async (chunks: readonly string[], after: typeof ends, limits = LIMITS, rest = REST) => {
  const { body, seen } = bodyOf(chunks, after);
  const answer = await readBody(body, limits, rest);
  return { answer: typeof answer === "string" ? answer : new TextDecoder().decode(answer), ...seen };
};

describe("a body", () => {
  it.each([
    [[], ""],
    [["0123456789"], "0123456789"],
    [["0", "", "12345678", "9"], "0123456789"],
    [Array.from("0123456789"), "0123456789"],
  ])("that comes as %j is whole", async (chunks, text) => {
    expect(await read(chunks, ends)).toMatchObject({ answer: text, isCancelled: false });
  });

  it("that is one byte too large is refused, and its rest is taken in", async () => {
    expect(await read(["0123456789", "0", "1"], ends)).toEqual({ answer: "too_large", reads: 4, isCancelled: false });
  });

  it("that is longer than what is read is abandoned there", async () => {
    const chunks = ["0123456789", "0", "12345", "6", "7"];
    expect(await read(chunks, ends)).toEqual({ answer: "too_large", reads: 4, isCancelled: true });
  });

  it("that stalls after it was too large is given up when the time for its rest is over", async () => {
    expect(await read(["0123456789", "0"], stalls, LIMITS, { maxBytes: 5, maxMs: 1 })).toEqual({
      answer: "too_large",
      reads: 3,
      isCancelled: true,
    });
  });

  it.each([[[]], [["0"]], [["0", "1", "2"]]])(
    "that stalls after %j is given up when its time is over",
    async (chunks) => {
      const short = { maxBytes: 10, maxMs: 1 };
      expect(await read(chunks, stalls, short, short)).toEqual({
        answer: "too_slow",
        reads: chunks.length + 1,
        isCancelled: true,
      });
    },
  );

  it("that breaks rejects", async () => {
    const { body } = bodyOf(["0"], (controller) => controller.error(new Error("The connection is gone.")));
    await expect(readBody(body, LIMITS)).rejects.toThrow("The connection is gone.");
  });
});
