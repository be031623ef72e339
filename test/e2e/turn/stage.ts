/** Where turns are taken from outside: dev commands on one directory, and in it a small project with a failing test. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { findFreePort } from "../../../src/process/port.ts";
import { type DevServer, startDevServer } from "../../support/dev-server.ts";
import { copyMadeState } from "../../support/made-state.ts";
import { startMessagesApiServer } from "../../support/messages-api-server.ts";

/** The part of the project that the test finds wrong. */
const BROKEN = "export const add = (a, b) => a - b;\n";

const TEST = `import assert from "node:assert";
import { test } from "node:test";
import { add } from "../src/add.mjs";

test("adds", () => assert.equal(add(2, 3), 5));
`;

/** A start takes seconds, so a test takes the server that the one before has left running. */
export type Stage = {
  readonly modelUrl: string;
  /** The agent's workspace directory: `add.mjs` in `src`, and its test in `test`. */
  readonly project: string;
  /** The dev command's `--persist-to`. */
  readonly stateDir: string;
  /** The running server, else one that is started now. */
  take(): Promise<DevServer>;
  /** Starts one on the same data and the same port; none may be running. */
  start(): Promise<DevServer>;
  /** Forgets the running server, which the test ends by itself. */
  leave(): void;
  /** Kills what runs, and removes everything. */
  end(): Promise<void>;
};

/** `args` are options of the dev command. Nothing is started yet. */
export const openStage = async (args: readonly string[]): Promise<Stage> => {
  const model = await startMessagesApiServer();
  const parent = await mkdtemp(join(tmpdir(), "tally-turn-"));
  const project = join(parent, "project");
  await mkdir(join(project, "src"), { recursive: true });
  await mkdir(join(project, "test"));
  await writeFile(join(project, "src/add.mjs"), BROKEN);
  await writeFile(join(project, "test/add.test.mjs"), TEST);
  const stateDir = join(parent, "state");
  await copyMadeState(inject("madeState"), stateDir);
  const port = await findFreePort();
  const env = { ANTHROPIC_API_KEY: "test-key", ANTHROPIC_BASE_URL: model.url, AGENT_WORKSPACE_DIR: project };
  let running: DevServer | undefined;
  const start = async (): Promise<DevServer> => {
    running = await startDevServer({ persistTo: stateDir, port, args, env });
    return running;
  };
  return {
    modelUrl: model.url,
    project,
    stateDir,
    take: async () => running ?? (await start()),
    start,
    leave: () => {
      running = undefined;
    },
    end: async () => {
      await running?.killGroup();
      await model.close();
      await rm(parent, { recursive: true, force: true });
    },
  };
};
