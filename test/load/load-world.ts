/** The started dev command with sign-in, its model and its workerd: what load is put on. */
import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listProcesses } from "../../src/process/process-group.ts";
import type { Stops } from "../bench/stops.ts";
import { logProblems } from "../faults/invariants/log-problems.ts";
import { endWithUs } from "../support/browser/end-with-us.ts";
import { cookieHeader, newPerson } from "../support/browser/person.ts";
import { startDevServer } from "../support/dev-server.ts";
import { inTurns } from "./in-turns.ts";
import type { Incidents } from "./incidents.ts";
import { inspectHeap } from "./inspect-heap.ts";
import { type LoadModel, startLoadModel } from "./load-model.ts";
import { Owner } from "./owner.ts";
import { type ProcessSample, sampleProcess } from "./sample-process.ts";
import { type StallProbe, startStallProbe } from "./stall-probe.ts";

/** Sign-ins at once: each waits for its code to be printed. */
const SIGN_INS_AT_ONCE = 4;

/** Where the log goes that had trouble in it. */
const KEPT_LOG = join(tmpdir(), "tally-load.log");

/** Everything scenarios work with. */
export type LoadWorld = {
  readonly url: string;
  readonly model: LoadModel;
  readonly probe: StallProbe;
  /** Signs so many new people in. */
  owners(count: number, incidents: Incidents): Promise<Owner[]>;
  /** The workerd that the Worker, its objects and D1 run in, and wrangler's proxy before it. */
  sample(): { readonly app: ProcessSample; readonly proxy: ProcessSample };
  /** Bytes that the Worker's JavaScript heap holds behind a full collection. */
  inspectHeap(): Promise<number>;
  /** Problems in what the dev command has printed since the last call. If there are any, all of the output is kept in a file. */
  newLogProblems(): string[];
  /** Ends everything; returns what is still running then. */
  stop(): Promise<string[]>;
};

/** Starts it on a state directory of its own. `env` is added to the environment of wrangler and workerd. */
export const startLoadWorld = async (stops: Stops, env: Readonly<Record<string, string>> = {}): Promise<LoadWorld> => {
  const dir = await mkdtemp(join(tmpdir(), "tally-load-"));
  const [stateDir, workspaceDir, mailFile] = [join(dir, "state"), join(dir, "workspace"), join(dir, "output")];
  await mkdir(workspaceDir);
  const stopped = endWithUs(dir, join(stateDir, "dev-processes"));
  const model = await startLoadModel();
  stops.add(model.stop);
  const server = await startDevServer({
    persistTo: stateDir,
    args: ["--auth"],
    outputFile: mailFile,
    // With wrangler's inspector, which the heap is read through and the dev command does without.
    env: {
      VSCODE_INSPECTOR_OPTIONS: "",
      ...env,
      AGENT_WORKSPACE_DIR: workspaceDir,
      ANTHROPIC_API_KEY: "load",
      ANTHROPIC_BASE_URL: model.url,
    },
  });
  const probe = startStallProbe(server.url);
  let stopping: Promise<string[]> | undefined;
  const end = async (): Promise<string[]> => {
    await probe.stop();
    await server.stop();
    // All that it starts has the state directory among its arguments, or is in wrangler's group.
    const left = listProcesses().filter(
      ({ groupId, command }) => groupId === server.record.wranglerGroupId || command.includes(`${stateDir} `),
    );
    await model.stop();
    await rm(dir, { recursive: true, force: true });
    stopped();
    return left.map(({ pid, command }) => `still running: ${pid} ${command.slice(0, 200)}`);
  };
  const stop = () => {
    stopping ??= end();
    return stopping;
  };
  stops.add(stop);
  const { app, proxy } = findWorkerds(server.record.wranglerGroupId);
  let seen = 0;
  return {
    url: server.url,
    model,
    probe,
    owners: (count, incidents) =>
      inTurns(count, SIGN_INS_AT_ONCE, async () => {
        const person = await newPerson({ url: server.url, mailFile });
        return new Owner(server.url, cookieHeader(person), incidents);
      }),
    sample: () => ({ app: sampleProcess(app), proxy: sampleProcess(proxy) }),
    inspectHeap: () => inspectHeap(proxy, server.port),
    newLogProblems: () => {
      const output = server.output();
      const problems = logProblems(output.slice(seen));
      seen = output.length;
      if (problems.length > 0) writeFileSync(KEPT_LOG, output);
      return problems.length === 0 ? [] : [...problems, `what the dev command printed: ${KEPT_LOG}`];
    },
    stop,
  };
};

/** The proxy listens on the site's own port, the other one where the system put it. */
const findWorkerds = (groupId: number): { app: number; proxy: number } => {
  const workerds = listProcesses().filter((one) => one.groupId === groupId && one.command.includes("workerd serve"));
  const app = workerds.find(({ command }) => command.includes("--socket-addr=entry=127.0.0.1:0 "));
  const proxy = workerds.find(({ pid }) => pid !== app?.pid);
  if (app === undefined || proxy === undefined) throw new Error(`${workerds.length} workerd processes, not two.`);
  return { app: app.pid, proxy: proxy.pid };
};
