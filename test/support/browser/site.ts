/** A running Tally: `npm run dev` on a directory of its own, with a model that tests script or the demo model. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDevServer } from "../dev-server.ts";
import { copyMadeState } from "../made-state.ts";
import { startMessagesApiServer } from "../messages-api-server.ts";
import { priceRoom } from "../price-server/price-room.ts";
import { startPriceServer } from "../price-server/price-server.ts";
import { endWithUs } from "./end-with-us.ts";

/** The reference rates of every site: what a euro is worth. There is none for TWD. */
const RATES = {
  day: "2026-11-20",
  rates: { USD: 1.25, GBP: 0.8, CHF: 0.95, JPY: 180, SEK: 11, KRW: 1700, INR: 105, IDR: 19_000, ZAR: 20 },
};

/** What a test needs to know of it; plain data, so that it can be handed to test files. */
export type Site = {
  /** Without a slash at its end. */
  readonly url: string;
  /** Address of the scripted model server; undefined where the demo model answers. */
  readonly modelUrl: string | undefined;
  /** The agent's real directory, empty at first. */
  readonly workspaceDir: string;
  /** Address of its price server: prices of a key are those of the room by its name, rates are those of `RATES`. */
  readonly priceUrl: string;
  /** File with all that the dev command prints, where it prints sign-in codes; undefined where nobody signs in. */
  readonly mailFile: string | undefined;
};

/** Which model answers, options of the dev command, variables for it, and the database to begin with, by default one made now. */
export type SiteOptions = {
  readonly model?: "scripted" | "demo";
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly madeState?: string;
};

/** Starts one; takes some 6 s. `stop` ends all of it and removes what it stored. */
export const startSite = async (options: SiteOptions = {}): Promise<Site & { stop(): Promise<void> }> => {
  const { args = [] } = options;
  const dir = await mkdtemp(join(tmpdir(), "tally-screen-"));
  const workspaceDir = join(dir, "workspace");
  await mkdir(workspaceDir);
  const model = options.model === "demo" ? undefined : await startMessagesApiServer();
  const prices = await startPriceServer();
  await priceRoom(prices.url, "rates").set({ fx: RATES });
  const stopped = endWithUs(dir, join(dir, "state", "dev-processes"));
  const removeRest = async () => {
    await model?.close();
    await prices.close();
    await rm(dir, { recursive: true, force: true });
    stopped();
  };
  const outputFile = join(dir, "output");
  try {
    if (options.madeState !== undefined) await copyMadeState(options.madeState, join(dir, "state"));
    const server = await startDevServer({
      persistTo: join(dir, "state"),
      args,
      outputFile,
      env: {
        AGENT_WORKSPACE_DIR: workspaceDir,
        OFFLINE: "",
        NOTICES_PAUSED: "true",
        TWELVEDATA_BASE_URL: `${prices.url}/by-key`,
        EODHD_BASE_URL: `${prices.url}/by-key/api`,
        FX_BASE_URL: `${prices.url}/rates`,
        ...options.env,
        ...(model === undefined ? {} : { ANTHROPIC_API_KEY: "test-key", ANTHROPIC_BASE_URL: model.url }),
      },
    });
    const stop = async () => {
      await server.stop();
      await removeRest();
    };
    const mailFile = args.includes("--auth") ? outputFile : undefined;
    return { url: server.url, modelUrl: model?.url, workspaceDir, priceUrl: prices.url, mailFile, stop };
  } catch (error) {
    await removeRest();
    throw error;
  }
};
