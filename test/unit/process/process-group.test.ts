/** Processes where /proc does not tell of them, and a group of which a part belongs to another user: it cannot be signalled. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { endOthersOfGroup, endProcessGroup, listPs } from "../../../src/process/process-group.ts";

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

/** As on macOS, where `lstart` is a date in the language of LC_TIME and at the place of TZ. 30,000 processes are more than 1 MiB. */
const KOREAN_PS = `#!/bin/sh
start='월 12/29 11:42:40 2025    '
[ -z "$LC_ALL" ] && [ "$LC_TIME" = C ] && [ "$TZ" = UTC ] && start='Mon Dec 29 11:42:40 2025'
seq 30000 | sed "s|$|     7 S    $start     /bin/sleep in $LC_CTYPE|"
`;

it("are listed by ps in every language and time zone, however many there are", () => {
  const dir = mkdtempSync(join(tmpdir(), "tally-ps-"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(dir, { recursive: true });
  });
  writeFileSync(join(dir, "ps"), KOREAN_PS, { mode: 0o755 });
  vi.stubEnv("PATH", `${dir}:${process.env.PATH}`);
  vi.stubEnv("LC_ALL", "ko_KR.UTF-8");
  const listed = listPs();
  expect(listed).toHaveLength(30_000);
  expect(listed.at(-1)).toEqual({
    ...{ pid: 30_000, groupId: 7, startedAt: "Mon Dec 29 11:42:40 2025" },
    // In the person's own characters, or ps would escape those of a path.
    command: expect.stringMatching(/^ *\/bin\/sleep in ko_KR\.UTF-8$/),
  });
});
