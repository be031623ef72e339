/**
 * The part of the vendor's SDK that is used, as it was found in 0.3.330 (decision 0097). The types are written here, since the SDK's
 * package is not installed to take them from.
 */
import type { ChildProcess } from "node:child_process";
import { pathToFileURL } from "node:url";
import * as z from "zod";

/** What a hook is told. Other fields come too. */
export const HookInput = z.looseObject({
  tool_name: z.string(),
  tool_input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string(),
  /** The working directory of the agent's shell, which `cd` changes. */
  cwd: z.string(),
});
export type HookInput = z.infer<typeof HookInput>;

/** What a hook answers. */
export type HookOutput = {
  readonly continue?: false;
  readonly stopReason?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName: "PreToolUse";
    readonly permissionDecision: "allow" | "deny" | "defer";
    readonly permissionDecisionReason?: string;
  };
};

type Hook = (input: unknown) => Promise<HookOutput>;

/** How the SDK starts its binary. */
export type SpawnOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** A connection to an in-process server of tools; messages are JSON-RPC. */
export type ToolTransport = {
  onmessage?: (message: unknown) => void;
  start(): Promise<void>;
  send(message: object): Promise<void>;
};

/** The options of `query` that are used here. */
export type QueryOptions = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hooks: Readonly<Record<string, readonly [{ readonly hooks: readonly [Hook]; readonly timeout: number }]>>;
  readonly canUseTool: (
    tool: string,
    input: Readonly<Record<string, unknown>>,
    call: { readonly toolUseID: string },
  ) => Promise<object>;
  readonly mcpServers: Readonly<Record<string, unknown>>;
  readonly spawnClaudeCodeProcess: (options: SpawnOptions) => ChildProcess;
} & Readonly<Record<string, unknown>>;

type AgentSdk = {
  query(call: {
    readonly prompt: string | AsyncIterable<never>;
    readonly options: QueryOptions;
  }): AsyncIterable<unknown>;
};

const isAgentSdk = (module: object): module is AgentSdk => "query" in module && typeof module.query === "function";

/** Loads the SDK. @throws {Error} when it is another module. */
export const loadSdk = async (entry: string): Promise<AgentSdk> => {
  const module: object = await import(pathToFileURL(entry).href);
  if (isAgentSdk(module)) return module;
  throw new Error(`${entry} has no query(): it is not the agent SDK.`);
};
