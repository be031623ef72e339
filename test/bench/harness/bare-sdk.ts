/** The vendor's SDK by itself: its binary, started by this program for one prompt, without the product. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { BUILT_IN_TOOLS } from "../../../src/harness-host/agent/gate.ts";
import { loadSdk, type SpawnOptions } from "../../../src/harness-host/agent/sdk-module.ts";
import type { FoundSdk } from "../../../src/harness-host/find-sdk.ts";
import { DEFAULT_MODEL } from "../../../src/model/named-models.ts";
import { NOT_FOR_THE_CLIENT } from "../../support/agent-sdk/vendor-client.ts";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";

/** Times of one start, in ms from the spawn of the binary. */
type SdkStart = {
  /** Until its first message, whatever it says. */
  readonly firstMessageMs: number;
  /** Until the first piece of the model's text. */
  readonly firstTextMs: number;
};

/** A piece of the model's text, as the SDK passes it on. */
const TextDelta = z.object({
  type: z.literal("stream_event"),
  event: z.object({ delta: z.object({ type: z.literal("text_delta") }) }),
});

/** It runs in an empty directory with an empty home. */
export type BareSdk = {
  /** Starts the binary, waits for the end of its turn, and says what it took until then. */
  start(): Promise<SdkStart>;
  stop(): Promise<unknown>;
};

/** Loads the SDK: each turn of the product does that too, so its time is the product's. */
export const openBareSdk = async (sdk: FoundSdk, modelUrl: string): Promise<BareSdk> => {
  const { query } = await loadSdk(sdk.entry);
  const home = await mkdtemp(join(tmpdir(), "tally-bare-sdk-"));
  const start = async (): Promise<SdkStart> => {
    const model = await scriptModel(modelUrl, [say("Done.")]);
    await model.withoutRules(...NOT_FOR_THE_CLIENT);
    let spawnedMs = Number.NaN;
    const spawnClaudeCodeProcess = ({ command, args, cwd, env }: SpawnOptions): ChildProcess => {
      spawnedMs = performance.now();
      return spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
    };
    const options = { ...bareOptions(home, modelUrl), spawnClaudeCodeProcess };
    const messages: { readonly atMs: number; readonly isText: boolean }[] = [];
    for await (const given of query({ prompt: model.prompt("go"), options })) {
      messages.push({ atMs: performance.now() - spawnedMs, isText: TextDelta.safeParse(given).success });
    }
    const [first, text] = [messages[0], messages.find(({ isText }) => isText)];
    if (first === undefined || text === undefined) throw new Error("The SDK did not answer.");
    return { firstMessageMs: first.atMs, firstTextMs: text.atMs };
  };
  return { start, stop: () => rm(home, { recursive: true, force: true }) };
};

/** What a turn of the product has too: the tools, no settings, pieces of messages. */
const bareOptions = (home: string, modelUrl: string) => ({
  cwd: home,
  env: {
    PATH: process.env.PATH ?? "",
    HOME: home,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "bench",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  },
  model: DEFAULT_MODEL,
  tools: [...BUILT_IN_TOOLS],
  settingSources: [],
  includePartialMessages: true,
  hooks: {},
  mcpServers: {},
  // Nothing is called.
  canUseTool: async () => ({ behavior: "deny", message: "No." }),
});
