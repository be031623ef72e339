/** The product: `npm run dev`, with the model server of the tests as its provider. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { TurnStartResponse } from "../../src/contract/turn.ts";
import { toMessagesParams } from "../../src/model/anthropic/anthropic-request.ts";
import { NOT_FOR_THE_CLIENT } from "../support/agent-sdk/vendor-client.ts";
import { ask } from "../support/ask-model.ts";
import { sampleStocks } from "../support/browser/stock-samples.ts";
import { signIn } from "../support/dev-client.ts";
import { startDevServer } from "../support/dev-server.ts";
import { burst, say } from "../support/model-script.ts";
import { holdBefore } from "../support/model-troubles.ts";
import { scriptModel } from "../support/scripted-model.ts";
import { groupCpuMs } from "./group-cpu.ts";
import { getText, postJson, postUntilFirstByte, subscribe } from "./http-client.ts";
import type { Subject } from "./subject.ts";

/** Stocks of the list that is read. */
const STOCKS = 100;

/** What the model server asks for. */
const MODEL_HEADERS = { "x-api-key": "bench", "anthropic-version": "2023-06-01" };

/** How the product is started. */
type ProductOptions = {
  /** One person has signed in. */
  readonly hasSignIn?: boolean;
  /** Where the vendor's SDK is installed, which then runs the turns. */
  readonly sdkDir?: string;
};

/** The product, with the address of the model server that its turns ask. */
export type Product = Subject & { readonly modelUrl: string };

/** Starts the model server, then the product on a free port with fresh state. */
export const startProduct = async ({ hasSignIn = false, sdkDir }: ProductOptions = {}): Promise<Product> => {
  const modelThread = new Worker(join(import.meta.dirname, "model-thread.ts"));
  const modelUrl = z.tuple([z.url()]).parse(await once(modelThread, "message"))[0];
  const persistTo = await mkdtemp(join(tmpdir(), "tally-product-"));
  const server = await startDevServer({
    persistTo,
    args: [...(hasSignIn ? ["--auth"] : []), ...(sdkDir === undefined ? [] : ["--harness", "agent-sdk"])],
    env: { ANTHROPIC_BASE_URL: modelUrl, ANTHROPIC_API_KEY: "bench", AGENT_SDK_DIR: sdkDir ?? "" },
  });
  const signed = hasSignIn ? { cookie: await signIn(server, "bench@example.com") } : {};
  const items = sampleStocks(STOCKS);
  await postJson(z.unknown(), `${server.url}/_framework/actions/add-stock`, { items }, signed);
  const post = async (prompt: string): Promise<string> => {
    const turn = { threadId: crypto.randomUUID(), prompt };
    const { events } = await postJson(TurnStartResponse, `${server.url}/api/agent/turn`, turn, signed);
    return `${server.url}${events}`;
  };
  return {
    name: "product",
    modelUrl,
    prepareRun: async ({ deltas }) => {
      const model = await scriptModel(modelUrl, [holdBefore(burst(deltas))]);
      if (sdkDir !== undefined) await model.withoutRules(...NOT_FOR_THE_CLIENT);
      const start = async () => {
        const url = await post(model.prompt("go"));
        return { liveUrl: url, replayUrl: url };
      };
      return { start, release: model.release };
    },
    prepareTurn: async () => {
      const model = await scriptModel(modelUrl, [say("Done.")]);
      let url = "";
      return {
        start: async () => {
          url = await post(model.prompt("go"));
        },
        settle: async () => void (await (await subscribe(url, signed)).ended),
      };
    },
    modelFirstByteMs: async () => {
      const model = await scriptModel(modelUrl, [burst(1)]);
      const startMs = performance.now();
      await postUntilFirstByte(`${modelUrl}/v1/messages`, toMessagesParams(ask(model.prompt("go"))), MODEL_HEADERS);
      return performance.now() - startMs;
    },
    readList: () => getText(`${server.url}/_framework/actions/list-stocks?limit=${STOCKS}`),
    // The dev command's own group too: its listener passes on every byte.
    cpuMs: () => groupCpuMs(server.record.wranglerGroupId) + groupCpuMs(server.groupId),
    stop: async () => {
      await server.stop();
      await modelThread.terminate();
      await rm(persistTo, { recursive: true, force: true });
    },
  };
};
