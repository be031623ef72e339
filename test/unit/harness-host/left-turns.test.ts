/** What a killed host left running is ended by the next start. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { endOrphans } from "../../../src/cli/dev/end-orphans.ts";
import { endLeftTurns, recordTurn, turnRecordsIn } from "../../../src/harness-host/turn-processes.ts";
import { listProcesses } from "../../../src/process/process-group.ts";

const startSleep = async (mark: string, detached = true) => {
  const child = spawn("sleep", ["1000"], { env: { ...process.env, TALLY_TURN: mark }, detached, stdio: "ignore" });
  await once(child, "spawn");
  return { groupId: child.pid ?? 0, exited: once(child, "exit") };
};

it("ends the recorded group, and a command that has a group of its own", async () => {
  const records = turnRecordsIn(mkdtempSync(join(tmpdir(), "tally-left-")));
  const mark = crypto.randomUUID();
  const [turn, command, other] = await Promise.all([startSleep(mark), startSleep(mark), startSleep("another")]);
  recordTurn(records, mark, turn.groupId);
  await endLeftTurns(records);
  expect((await turn.exited)[1]).toBe("SIGTERM");
  expect((await command.exited)[1]).toBe("SIGTERM");
  expect(readdirSync(records)).toEqual([]);
  // It would have ended with them: KILL is what ends it now.
  process.kill(other.groupId, "SIGKILL");
  expect((await other.exited)[1]).toBe("SIGKILL");
});

it("so does what a killed dev command leaves behind, without waiting for the next start", async () => {
  const stateDir = mkdtempSync(join(tmpdir(), "tally-left-"));
  const mark = crypto.randomUUID();
  const [turn, command, group] = await Promise.all([startSleep(mark), startSleep(mark), startSleep("another")]);
  recordTurn(turnRecordsIn(stateDir), mark, turn.groupId);
  await endOrphans(group.groupId, stateDir);
  expect((await turn.exited)[1]).toBe("SIGTERM");
  expect((await command.exited)[1]).toBe("SIGTERM");
  expect((await group.exited)[1]).toBe("SIGTERM");
});

it.each([
  ["in its session", "env -i sleep 1000 & echo $!; wait"],
  ["in a session of its own", "env -i setsid sh -c 'echo $$; exec sleep 1000' & wait"],
  ["in the session of a parent that is gone", "(env -i sh -c 'sleep 1000 & echo $!') ; sleep 1000"],
])("ends what a command that runs has started without the mark, %s", async (_, script) => {
  const records = turnRecordsIn(mkdtempSync(join(tmpdir(), "tally-left-")));
  const mark = crypto.randomUUID();
  const turn = await startSleep(mark);
  recordTurn(records, mark, turn.groupId);
  const env = { ...process.env, TALLY_TURN: mark };
  const command = spawn("sh", ["-c", script], { env, detached: true, stdio: ["ignore", "pipe", "ignore"] });
  const [pid] = await once(command.stdout, "data");
  await endLeftTurns(records);
  await turn.exited;
  expect(listProcesses().filter((one) => one.pid === Number(pid))).toEqual([]);
});

it("leaves a process alone that is in the session of this one, beside a marked one", async () => {
  const records = turnRecordsIn(mkdtempSync(join(tmpdir(), "tally-left-")));
  const mark = crypto.randomUUID();
  const [marked, other] = await Promise.all([startSleep(mark, false), startSleep("another", false)]);
  recordTurn(records, mark, marked.groupId);
  await endLeftTurns(records);
  expect((await marked.exited)[1]).toBe("SIGTERM");
  process.kill(other.groupId, "SIGKILL");
  expect((await other.exited)[1]).toBe("SIGKILL");
});

it("leaves a process alone that only has the number of a recorded group", async () => {
  const records = turnRecordsIn(mkdtempSync(join(tmpdir(), "tally-left-")));
  const other = await startSleep("another");
  mkdirSync(records, { recursive: true });
  writeFileSync(join(records, crypto.randomUUID()), `${other.groupId} 1\n`);
  await endLeftTurns(records);
  process.kill(other.groupId, "SIGKILL");
  expect((await other.exited)[1]).toBe("SIGKILL");
  expect(readdirSync(records)).toEqual([]);
});
