/** Our tools as the SDK is told of them. */
import { expect, it } from "vitest";
import { Gate } from "../../../src/harness-host/agent/gate.ts";
import { HostedTools } from "../../../src/harness-host/agent/hosted-tools.ts";
import { Questions } from "../../../src/harness-host/agent/questions.ts";
import type { ToolTransport } from "../../../src/harness-host/agent/sdk-module.ts";

const LIST = {
  name: "list-stocks",
  kind: "read",
  description: "Lists stocks.",
  inputSchema: { properties: { q: { type: "string" } } },
} as const;

/** What the server answers to one request. */
const answered = async (request: object): Promise<unknown> => {
  const questions = new Questions(() => undefined);
  const root = { dir: "/", stateDir: "/", guarded: [] };
  const gate = new Gate({ root, tools: [LIST], questions, home: "/", sessionId: crypto.randomUUID() });
  const { tally } = new HostedTools({ tools: [LIST], questions, gate }).server();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const transport: ToolTransport = { start: async () => undefined, send: async (message) => resolve(message) };
  await Object(tally).instance.connect(transport);
  transport.onmessage?.({ jsonrpc: "2.0", id: 1, ...request });
  return await promise;
};

it("lists a tool with its schema, and as one whose longest output the model is given whole", async () => {
  const listed = {
    ...{ name: "list-stocks", description: "Lists stocks.", annotations: { readOnlyHint: true } },
    inputSchema: { type: "object", properties: { q: { type: "string" } } },
    _meta: { "anthropic/maxResultSizeChars": 500_000 },
  };
  expect(await answered({ method: "tools/list" })).toEqual({ jsonrpc: "2.0", id: 1, result: { tools: [listed] } });
});
