/** How processes that no group holds are ended, whatever time passes meanwhile. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import { endProcesses } from "../../../src/process/end-processes.ts";

/** A process that runs until it is ended, and a way to find it. */
const start = async (script: string) => {
  const child = spawn(process.execPath, ["-e", `${script}; setInterval(() => {}, 1_000); console.log("up")`]);
  const exited = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const find = () => (child.exitCode === null && child.signalCode === null ? [child.pid ?? Number.NaN] : []);
  return { find, exited };
};

const DEAF = 'process.on("SIGTERM", () => {})';

it("gives those that heed TERM the time to end", async () => {
  const { find, exited } = await start('process.on("SIGTERM", () => setTimeout(() => process.exit(3), 50))');
  await endProcesses(find, { termMs: 60_000, killMs: 0 });
  expect(await exited).toEqual([3, null]);
});

it("kills those that do not", async () => {
  const { find, exited } = await start(DEAF);
  await endProcesses(find, { termMs: 50, killMs: 60_000 });
  expect(await exited).toEqual([null, "SIGKILL"]);
});

it("kills them also when both times have passed before it could look again", async () => {
  const { find, exited } = await start(DEAF);
  const clock = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValue(1_000_000);
  onTestFinished(() => void clock.mockRestore());
  await endProcesses(find, { termMs: 2_000, killMs: 2_000 });
  expect(await exited).toEqual([null, "SIGKILL"]);
});

it("gives up on one that not even KILL ends", async () => {
  // No process has this number.
  await expect(endProcesses(() => [2 ** 30], { termMs: 0, killMs: 50 })).resolves.toBeUndefined();
});
