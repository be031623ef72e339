/** What stands before the messages of every request: the rules and the tools, in a fixed order. */
import { sha256Hex } from "../contract/sha256.ts";
import type { ModelTool } from "../model/model.ts";
import { systemPrompt } from "./system-prompt.ts";
import type { Tool } from "./tools/tool.ts";

/** The same for all requests of a release. `hash` is what a session remembers of it. */
export type RequestPrefix = {
  readonly system: readonly string[];
  readonly tools: readonly ModelTool[];
  readonly hash: string;
  /** Bytes of both as they go over the wire. */
  readonly bytes: number;
};

/** The prefix of requests that offer these tools. */
export const requestPrefix = async (offered: readonly Tool[]): Promise<RequestPrefix> => {
  const system = systemPrompt();
  const tools = offered.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const bytes = new TextEncoder().encode(JSON.stringify([system, tools]));
  return { system, tools, hash: await sha256Hex(bytes), bytes: bytes.byteLength };
};
