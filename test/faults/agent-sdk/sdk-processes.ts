/** What the harness host has running: by its own records, so that nothing of anybody else's is hit. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { MARK_VARIABLE } from "../../../src/harness-host/agent/agent-start.ts";
import { turnRecordsIn } from "../../../src/harness-host/turn-processes.ts";

/** Time between two looks at what still runs, in ms. */
const POLL_MS = 20;

/** How long a moment waits for a turn's process, in ms: between two questions there is none. */
const MAX_WAIT_MS = 3_000;

/** A turn that runs, or that a death has left. */
type RecordedProcess = { readonly mark: string; readonly groupId: number };

/** All of a state directory. */
const recordsOf = (stateDir: string): RecordedProcess[] => {
  const dir = turnRecordsIn(stateDir);
  return orNothing(() => readdirSync(dir)).flatMap((mark) =>
    orNothing(() => [{ mark, groupId: Number.parseInt(readFileSync(`${dir}/${mark}`, "utf8"), 10) }]),
  );
};

/** It may have ended in the meantime. */
const orNothing = <Item>(look: () => Item[]): Item[] => {
  try {
    return look();
  } catch {
    return [];
  }
};

/** `kill -9` of the turns' own groups: the SDK dies, its commands live on. How many there were. */
export const killAgents = async (stateDir: string): Promise<number> => {
  const until = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const records = recordsOf(stateDir);
    for (const { groupId } of records) kill(-groupId);
    if (records.length > 0 || performance.now() > until) return records.length;
    await delay(POLL_MS);
  }
};

/** `kill -9` of all that the turns have started, wherever it is: as when the machine dies. */
export const killWithCommands = async (stateDir: string): Promise<void> => {
  for (const { mark, groupId } of recordsOf(stateDir)) {
    kill(-groupId);
    for (let left = markedBy(mark); left.length > 0; left = markedBy(mark)) {
      for (const pid of left) kill(pid);
      await delay(POLL_MS);
    }
  }
};

const markedBy = (mark: string): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) =>
      orNothing(() => readFileSync(`/proc/${pid}/environ`, "utf8").split("\0")).includes(`${MARK_VARIABLE}=${mark}`),
    )
    .map(Number);

const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended since.
  }
};
