/** The floor: a Worker of its own under the same wrangler. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { waitUntilHealthy } from "../../src/cli/dev/readiness.ts";
import { startWrangler } from "../../src/cli/dev/wrangler.ts";
import { findFreePort } from "../../src/process/port.ts";
import { endProcessGroup } from "../../src/process/process-group.ts";
import { groupCpuMs } from "./group-cpu.ts";
import { getText, postJson } from "./http-client.ts";
import type { Subject } from "./subject.ts";

const START_TIMEOUT_MS = 60_000;

const PumpAnswer = z.object({ runId: z.string() });

/** It answers lists as the product does: with the same stocks. */
export type Floor = Subject & {
  readonly port: number;
  takeList(answer: z.infer<typeof StockListAnswer>): Promise<void>;
};

/** The product's answer, as far as the floor keeps it. */
export const StockListAnswer = z.looseObject({ items: z.array(z.record(z.string(), z.unknown())) });

/** Starts the floor on a free port, with a fresh database. */
export const startFloor = async (): Promise<Floor> => {
  const port = await findFreePort();
  const persistTo = await mkdtemp(join(tmpdir(), "tally-floor-"));
  const wrangler = startWrangler([
    ...["dev", "--config", join(import.meta.dirname, "floor/wrangler.toml"), "--local", "--ip", "127.0.0.1"],
    ...["--port", String(port), "--inspector-port", "0", "--persist-to", persistTo],
    "--show-interactive-dev-session=false",
  ]);
  wrangler.stdout.resume();
  wrangler.stderr.pipe(process.stderr, { end: false });
  const stop = async () => {
    await endProcessGroup(wrangler.groupId);
    await rm(persistTo, { recursive: true, force: true });
  };
  if (!(await waitUntilHealthy(port, AbortSignal.timeout(START_TIMEOUT_MS)))) {
    await stop();
    throw new Error("The floor did not start.");
  }
  const url = `http://127.0.0.1:${port}`;
  await postJson(z.unknown(), `${url}/setup`, {});
  return { ...floorAt(url, () => groupCpuMs(wrangler.groupId)), port, stop };
};

/** The floor as it answers at `url`: its own address, or one before it. */
export const floorAt = (url: string, cpuMs: () => number): Omit<Floor, "port" | "stop"> => ({
  name: "floor",
  prepareRun: async (run) => ({
    start: async () => {
      const { runId } = await postJson(PumpAnswer, `${url}/pump`, run);
      const runUrl = `${url}/_framework/runs/${runId}`;
      return { liveUrl: `${runUrl}/events`, replayUrl: `${runUrl}/replay` };
    },
    // It counts its subscribers itself.
    release: async () => {},
  }),
  prepareTurn: async () => {
    const threadId = crypto.randomUUID();
    return {
      start: async () => void (await postJson(z.unknown(), `${url}/turn`, { threadId, prompt: "go" })),
      settle: async () => {},
    };
  },
  modelFirstByteMs: async () => 0,
  readList: () => getText(`${url}/stocks`),
  cpuMs,
  takeList: async (answer) => void (await postJson(z.unknown(), `${url}/stocks`, answer)),
});
