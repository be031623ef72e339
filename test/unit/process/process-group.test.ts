/** A process group of which a part belongs to another user, whose processes cannot be signalled. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import { endOthersOfGroup, endProcessGroup } from "../../../src/process/process-group.ts";

/** The number of a group that runs until the test is over. From then on no signal reaches it. */
const startForeign = async (): Promise<number> => {
  const child = spawn("/bin/sh", ["-c", "echo up; exec sleep 60"], { detached: true });
  await once(child.stdout, "data");
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
  });
  onTestFinished(() => {
    kill.mockRestore();
    child.kill("SIGKILL");
  });
  return child.pid ?? Number.NaN;
};

it.each([
  ["by whoever started it", endProcessGroup],
  ["by one of its own", endOthersOfGroup],
])("is given up %s once KILL has not helped", async (_, end) => {
  await expect(end(await startForeign(), 0)).resolves.toBeUndefined();
});
