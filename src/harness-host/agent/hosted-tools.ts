/**
 * Offers the Worker's actions as a tool server inside the process. It speaks the few messages of the Model Context Protocol that the
 * SDK sends, so that the model sees the Worker's own JSON schemas; the SDK's helper would take zod schemas instead.
 */
import * as z from "zod";
import type { HostedTool } from "../../harness/agent-sdk/host-wire.ts";
import { ASKED_ONE_AT_A_TIME, type Gate, TOOL_SERVER } from "./gate.ts";
import type { Questions } from "./questions.ts";
import type { HookOutput, ToolTransport } from "./sdk-module.ts";

const Request = z.looseObject({ method: z.string(), id: z.union([z.string(), z.number()]).optional() });

const Initialize = z.looseObject({ params: z.looseObject({ protocolVersion: z.string() }) });

const ToolCall = z.looseObject({
  params: z.looseObject({
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()).default({}),
    _meta: z.looseObject({ "claudecode/toolUseId": z.string() }),
  }),
});

/**
 * The longest result that the model is given whole, in characters: the highest limit that the SDK takes, and more than the Worker sends. By
 * default the limit is 50,000. Beyond the limit, the model gets the path of a file instead
 * (https://code.claude.com/docs/en/mcp#raise-the-limit-for-a-specific-tool).
 */
const MAX_RESULT_CHARS = 500_000;

/** JSON-RPC: there is no such method. */
const METHOD_NOT_FOUND = -32_601;

type ToolWorld = { readonly tools: readonly HostedTool[]; readonly questions: Questions; readonly gate: Gate };

/** The tools of one turn. */
export class HostedTools {
  readonly #world: ToolWorld;
  /** Calls after which the turn ends. */
  readonly #ending = new Set<string>();

  constructor(world: ToolWorld) {
    this.#world = world;
  }

  /** The server in the form that the SDK's option `mcpServers` takes. */
  server(): Readonly<Record<string, unknown>> {
    const instance = { connect: (transport: ToolTransport) => this.#connect(transport), close: async () => undefined };
    return { [TOOL_SERVER]: { type: "sdk", name: TOOL_SERVER, instance } };
  }

  /** The hook after a call. It ends the turn if the answer to the call said so. */
  readonly afterCall = async (given: unknown): Promise<HookOutput> => {
    const { tool_use_id: id } = z.looseObject({ tool_use_id: z.string() }).parse(given);
    return this.#ending.has(id) ? { continue: false, stopReason: "The person was asked." } : {};
  };

  async #connect(transport: ToolTransport): Promise<void> {
    transport.onmessage = (message) => {
      const request = Request.parse(message);
      // A notification has no id and wants no answer.
      if (request.id === undefined) return;
      const { id } = request;
      void this.#answer(request).then(
        (result) => transport.send({ jsonrpc: "2.0", id, result }),
        (error: unknown) =>
          transport.send({ jsonrpc: "2.0", id, error: { code: METHOD_NOT_FOUND, message: String(error) } }),
      );
    };
    await transport.start();
  }

  async #answer(request: z.infer<typeof Request>): Promise<object> {
    switch (request.method) {
      case "initialize":
        return {
          protocolVersion: Initialize.parse(request).params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: TOOL_SERVER, version: "1" },
        };
      case "ping":
        return {};
      case "tools/list":
        return { tools: this.#world.tools.map(listed) };
      case "tools/call":
        return this.#call(ToolCall.parse(request).params);
      default:
        throw new Error(`There is no method ${request.method}.`);
    }
  }

  async #call(call: z.infer<typeof ToolCall>["params"]): Promise<object> {
    const { questions, gate, tools } = this.#world;
    const isRead = tools.some((tool) => tool.name === call.name && tool.kind === "read");
    if (gate.isAsked && !isRead) return textResult(ASKED_ONE_AT_A_TIME, true);
    const toolUseId = call._meta["claudecode/toolUseId"];
    const answer = await questions.ask({ type: "tool", toolUseId, name: call.name, input: call.arguments });
    if (answer.type !== "tool") return textResult("The answer does not fit the question.", true);
    if (answer.ends === true) {
      this.#ending.add(toolUseId);
      gate.markAsked();
    }
    return textResult(answer.output, answer.isError);
  }
}

const listed = ({ name, description, inputSchema, kind }: HostedTool): object => ({
  name,
  description,
  inputSchema: { ...inputSchema, type: "object" },
  annotations: { readOnlyHint: kind === "read" },
  _meta: { "anthropic/maxResultSizeChars": MAX_RESULT_CHARS },
});

const textResult = (text: string, isError: boolean): object => ({ content: [{ type: "text", text }], isError });
