/** How often the real SDK asks a provider that fails: as our own loop, at most four times (api.md §3). */
import { expect, it, onTestFinished } from "vitest";
import type { Reply } from "../support/model-server/reply.ts";
import { MODEL, openRealHarness } from "./play.ts";
import { startProvider } from "./provider.ts";

const failure = (status: number, type: string): Reply => ({
  ...{ type: "failure", status, headers: {} },
  body: { type: "error", error: { type, message: "Not now." }, request_id: "req_1" },
});

it.each([
  [529, "overloaded_error"],
  [500, "api_error"],
])("a provider that answers %d is asked four times, and the retries are told", async (status, type) => {
  const provider = await startProvider();
  onTestFinished(provider.close);
  const host = await openRealHarness(provider);
  onTestFinished(host.close);
  await provider.script(
    "tries",
    Array.from({ length: 12 }, () => failure(status, type)),
  );
  const turn = { turnId: "tries", sessionId: crypto.randomUUID(), model: MODEL, tools: [] };
  const lines = await host.turn({ ...turn, begin: { type: "new", prompt: "[script:tries] go" } });
  expect(await provider.requests("tries")).toHaveLength(4);
  const told = lines.flatMap((line) => (line.type === "message" ? [line.message] : []));
  expect(told.filter(({ subtype }) => subtype === "api_retry").map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  expect(told.at(-1)).toMatchObject({ type: "result", is_error: true, api_error_status: status });
});
