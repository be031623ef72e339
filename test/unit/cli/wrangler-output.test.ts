/** What a person at the terminal sees of wrangler, and what is left out. */
import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";
import { expect, it, vi } from "vitest";
import { relayOutput } from "../../../src/cli/dev/wrangler.ts";

/** What is written of these lines of a wrangler that has started. */
const shown = async (stream: "stdout" | "stderr", lines: readonly string[]): Promise<string> => {
  const from = { stdout: new PassThrough(), stderr: new PassThrough() };
  const write = vi.spyOn(process[stream], "write").mockReturnValue(true);
  try {
    relayOutput(from).startRelaying();
    from[stream].end(lines.map((line) => `${line}\n`).join(""));
    await finished(from[stream]);
    return write.mock.calls.map(([text]) => String(text)).join("");
  } finally {
    write.mockRestore();
  }
};

it("keeps what the Worker logs, and leaves out wrangler's log of requests and reloads", async () => {
  const lines = [
    "[wrangler:info] GET / 200 OK (3ms)",
    '{"level":"info","message":"request"}',
    "⎔ Reloading local server...",
  ];
  expect(await shown("stdout", lines)).toBe('{"level":"info","message":"request"}\n');
});

it.each([
  [
    "the note about crons",
    "▲ [WARNING] Scheduled Workers are not automatically triggered during local development",
    "  Learn more",
  ],
  ["a reader that left", "✘ [ERROR] Uncaught Error: Network connection lost. ", ""],
])("leaves out %s with what goes on it, and nothing behind it", async (_, first, second) => {
  const error = "✘ [ERROR] Uncaught (in promise) Error: Network connection lost.";
  expect(await shown("stderr", [first, second, "", error, "    at fetch (src/index.ts:1:1)"])).toBe(
    `${error}\n    at fetch (src/index.ts:1:1)\n`,
  );
});
