/** Commands of the host workspace: their environment, their process groups, and what is known of them later. */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { isGroupRunning } from "../../../src/process/process-group.ts";
import { type Command, WorkspaceError } from "../../../src/workspace/workspace.ts";
import { CommandRecords } from "../../../src/workspace-server/command-records.ts";
import { CommandCalls } from "../../../src/workspace-server/commands/command-calls.ts";
import { endLeftCommands } from "../../../src/workspace-server/commands/end-left-commands.ts";
import { startShell } from "../../../src/workspace-server/commands/shell-process.ts";
import { openRoot } from "../../../src/workspace-server/workspace-root.ts";
import { recordsIn } from "../../../src/workspace-server/workspace-server.ts";
import { type HostWorkspaceUnderTest, hostHeaders, openHostWorkspace } from "../../support/host-workspace.ts";
import { nodeFetch } from "../../support/node-fetch.ts";

const NEVER = new AbortController().signal;
const ignore = () => undefined;

/** The longest that there is: what these commands wait for may take its time. */
const TIME_LIMIT_MS = 600_000;

const commandOf = (command: string, more: Partial<Command> = {}): Command => ({
  callId: crypto.randomUUID(),
  dir: ".",
  timeoutMs: TIME_LIMIT_MS,
  ...more,
  command,
});

let host: HostWorkspaceUnderTest;
beforeEach(async () => {
  host = await openHostWorkspace();
});
afterEach(() => host.close());

/** A mark that is no record: a file that no process of another test or run has open. */
const otherMark = (): string => {
  const path = join(host.outsideDir, "mark");
  writeFileSync(path, "");
  return path;
};

/** Runs a command up to its first output, which is the number of its process group. */
const startUntilOutput = async (command: string, signal = NEVER) => {
  const started = Promise.withResolvers<number>();
  const result = host.workspace.run(commandOf(command), (_, text) => started.resolve(Number(text)), signal);
  return { groupId: await started.promise, result };
};

/** From now on no process can be signalled, as if all were another user's. */
const refuseSignals = () => {
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw Object.assign(new Error("kill EPERM"), { code: "EPERM" });
  });
  onTestFinished(() => kill.mockRestore());
};

describe("a command", () => {
  it("gets PATH, HOME, LANG and TERM, and no other variable of this process", async () => {
    process.env.ANTHROPIC_API_KEY = "sk-test";
    const { stdout } = await host.workspace.run(commandOf("env"), ignore, NEVER);
    delete process.env.ANTHROPIC_API_KEY;
    const names = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split("=", 1)[0] ?? "");
    // The shell itself sets the others.
    const own = ["PWD", "OLDPWD", "SHLVL", "_"];
    expect(names.filter((name) => !own.includes(name)).sort()).toEqual(["HOME", "LANG", "PATH", "TERM"]);
  });

  it("may begin with a dash", async () => {
    const { stderr } = await host.workspace.run(commandOf("-no-such-program"), ignore, NEVER);
    expect(stderr).toContain("-no-such-program");
    expect(stderr).toContain("not found");
  });

  it("has no input to wait for, and not the descriptor of the gate", async () => {
    const { stdout } = await host.workspace.run(commandOf("cat; (: <&3) 2>/dev/null || echo closed"), ignore, NEVER);
    expect(stdout).toBe("closed\n");
  });

  it("leaves nothing running in the background when it ends", async () => {
    const { groupId, result } = await startUntilOutput("echo $$; nohup sleep 60 >/dev/null 2>&1 &");
    expect(await result).toMatchObject({ end: "exited", exitCode: 0 });
    expect(isGroupRunning(groupId)).toBe(false);
  });

  it("leaves nothing running that has left its process group, whether it heeds TERM or not", async () => {
    const script = `setsid sh -c 'echo $$ > one; sleep 60' >/dev/null 2>&1 &
      setsid sh -c "trap '' TERM; echo \\$\\$ > two; while :; do sleep 0.1; done" >/dev/null 2>&1 &
      until [ -s one ] && [ -s two ]; do sleep 0.02; done; cat one two`;
    const { stdout } = await host.workspace.run(commandOf(script), ignore, NEVER);
    const groups = stdout.trimEnd().split("\n").map(Number);
    expect(groups.map((group) => isGroupRunning(group))).toEqual([false, false]);
  });

  it("is refused while 32 others run, and runs when one of them has ended", async () => {
    const stop = new AbortController();
    const others = Array.from({ length: 32 }, () => startUntilOutput("echo $$; sleep 60", stop.signal));
    const started = await Promise.all(others);
    const refused = host.workspace.run(commandOf("true"), ignore, NEVER);
    await expect(refused).rejects.toMatchObject({ code: "refused", message: expect.stringMatching(/32/) });
    stop.abort();
    await Promise.all(started.map(({ result }) => result));
    expect(await host.workspace.run(commandOf("true"), ignore, NEVER)).toMatchObject({ exitCode: 0 });
  });

  it("is refused while the server stops", async () => {
    const root = await openRoot(host.dir, host.stateDir);
    const calls = new CommandCalls(root, new CommandRecords(recordsIn(host.stateDir)));
    await calls.close();
    await expect(calls.start(commandOf("true"), ignore, NEVER)).rejects.toMatchObject({ code: "refused" });
  });

  it("that ignores TERM gets KILL when it is aborted", async () => {
    const stop = new AbortController();
    const { groupId, result } = await startUntilOutput(
      "trap '' TERM; echo $$; while :; do sleep 0.1; done",
      stop.signal,
    );
    stop.abort();
    expect(await result).toMatchObject({ end: "aborted", exitCode: null });
    expect(isGroupRunning(groupId)).toBe(false);
  });

  it("that belongs to another user, who alone can end it, still has its result", async () => {
    refuseSignals();
    const stop = new AbortController();
    // Like `sudo`, it closes what it inherits and takes the shell's place.
    const call = commandOf("exec 4<&-; echo $$; exec sleep 60");
    const started = Promise.withResolvers<number>();
    const run = host.workspace.run(call, (_, text) => started.resolve(Number(text)), stop.signal);
    const groupId = await started.promise;
    stop.abort();
    const result = await run;
    vi.restoreAllMocks();
    process.kill(-groupId, "SIGKILL");
    expect(result).toMatchObject({ end: "aborted", exitCode: null });
    expect(await host.workspace.find(call.callId, NEVER)).toEqual(result);
  });

  it("ends with the server, with all that it started", async () => {
    const { groupId, result } = await startUntilOutput("echo $$; sleep 60 & sleep 60");
    await host.server.close();
    expect(isGroupRunning(groupId)).toBe(false);
    expect(await result).toMatchObject({ end: "aborted" });
  });

  it("keeps the beginning and the end of an output over 1 MB", async () => {
    const script = "echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo last";
    const { stdout, isCut } = await host.workspace.run(commandOf(script), ignore, NEVER);
    expect(isCut).toBe(true);
    expect(stdout).toMatch(/^first\nx+\n\[\d+ bytes left out\]\nx+\nlast\n$/);
    expect(stdout.length).toBeLessThan(1_048_700);
  });

  it("does not run when it is aborted before it was sent", async () => {
    const call = commandOf("touch ran");
    await host.workspace.run(call, ignore, AbortSignal.abort());
    expect(existsSync(join(host.dir, "ran"))).toBe(false);
  });
});

describe("what is known of a command", () => {
  it("is its result, also for a server that was started later", async () => {
    const call = commandOf("echo kept; exit 3");
    const result = await host.workspace.run(call, ignore, NEVER);
    expect(new CommandRecords(recordsIn(host.stateDir)).result(call.callId)).toEqual(result);
    expect(result).toEqual({ end: "exited", exitCode: 3, stdout: "kept\n", stderr: "", isCut: false });
  });

  it("is waited for by whoever asks while it runs", async () => {
    const call = commandOf("echo started; while [ ! -e go ]; do sleep 0.02; done; echo went");
    const started = Promise.withResolvers<void>();
    const run = host.workspace.run(call, () => started.resolve(), NEVER);
    await started.promise;
    const found = host.workspace.find(call.callId, NEVER);
    await host.workspace.write("go", new Uint8Array());
    expect(await found).toEqual(await run);
  });

  it("is its result also for a caller whose connection was lost, since it has gone on", async () => {
    const call = commandOf("echo started; while [ ! -e go ]; do sleep 0.02; done; echo went");
    const lost = new AbortController();
    const headers = hostHeaders(host.server.token);
    const init = { method: "POST", headers, body: JSON.stringify(call), signal: lost.signal };
    // The answer begins with the first output.
    const answer = await nodeFetch(`${host.server.url}/run`, init);
    lost.abort();
    await expect(answer.text()).rejects.toThrow();
    await host.workspace.write("go", new Uint8Array());
    expect(await host.workspace.find(call.callId, NEVER)).toMatchObject({ end: "exited", stdout: "started\nwent\n" });
  });

  it("is its id alone where the result cannot be kept, which whoever waits gets all the same", async () => {
    const call = commandOf("echo started; while [ ! -e go ]; do sleep 0.02; done; echo went");
    const started = Promise.withResolvers<void>();
    const run = host.workspace.run(call, () => started.resolve(), NEVER);
    await started.promise;
    const records = recordsIn(host.stateDir);
    const [record = ""] = readdirSync(records);
    // Where the result would be written, as if the disk were full.
    mkdirSync(join(records, record.replace(".group", ".tmp")));
    const told = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => told.mockRestore());
    await host.workspace.write("go", new Uint8Array());
    expect(await run).toMatchObject({ end: "exited", exitCode: 0, stdout: "started\nwent\n" });
    expect(told).toHaveBeenCalledWith(expect.stringContaining("cannot be kept: Error: EISDIR"));
    await expect(host.workspace.run(call, ignore, NEVER)).rejects.toMatchObject({ code: "repeated" });
  });

  it("is that it was aborted when its caller has gone and nobody asked in time", async () => {
    const root = await openRoot(host.dir, host.stateDir);
    const calls = new CommandCalls(root, new CommandRecords(recordsIn(host.stateDir)), 0);
    expect(await calls.start(commandOf("sleep 60"), ignore, AbortSignal.abort())).toMatchObject({ end: "aborted" });
  });

  it("is that it did not run when the abort came before it", async () => {
    const root = await openRoot(host.dir, host.stateDir);
    const calls = new CommandCalls(root, new CommandRecords(recordsIn(host.stateDir)));
    const call = commandOf("touch ran");
    calls.abort(call.callId);
    expect(await calls.start(call, ignore, NEVER)).toMatchObject({ end: "aborted" });
    expect(existsSync(join(host.dir, "ran"))).toBe(false);
  });

  it("is nothing when its id was never seen", async () => {
    expect(await host.workspace.find("no-such-call", NEVER)).toBeUndefined();
  });
});

describe("what a killed start left running", () => {
  const startLeft = async (command: string, callId: string, markFile?: string) => {
    const records = new CommandRecords(recordsIn(host.stateDir));
    records.claim(callId);
    const started = Promise.withResolvers<void>();
    const options = {
      cwd: host.dir,
      env: { PATH: "/usr/bin:/bin" },
      mark: markFile === undefined ? records.open(callId) : openSync(markFile, "r"),
    };
    const shell = await startShell(command, options, () => started.resolve());
    closeSync(options.mark);
    records.setGroup(callId, shell.group);
    const result = shell.run(TIME_LIMIT_MS, NEVER);
    await started.promise;
    return { groupId: shell.group.groupId, result };
  };

  it("is ended by the next one, and its id stays refused", async () => {
    const left = await startLeft("echo up; sleep 60 & sleep 60", "left-1");
    await endLeftCommands(recordsIn(host.stateDir));
    expect(isGroupRunning(left.groupId)).toBe(false);
    const again = host.workspace.run(commandOf("touch again", { callId: "left-1" }), ignore, NEVER);
    await expect(again).rejects.toBeInstanceOf(WorkspaceError);
    await expect(again).rejects.toMatchObject({ code: "repeated" });
    expect(existsSync(join(host.dir, "again"))).toBe(false);
    await left.result;
  });

  it("keeps no start from working when it is another user's", async () => {
    const left = await startLeft("echo up; sleep 1", "left-3", otherMark());
    refuseSignals();
    await endLeftCommands(recordsIn(host.stateDir));
    expect(new CommandRecords(recordsIn(host.stateDir)).leftGroups()).toEqual([]);
    await left.result;
  });

  it("is left alone when its number belongs to another process now", async () => {
    const stranger = await startLeft(
      "echo up; while [ ! -e go ]; do sleep 0.02; done; echo lived > lived",
      "left-2",
      otherMark(),
    );
    const records = new CommandRecords(recordsIn(host.stateDir));
    records.setGroup("left-2", { groupId: stranger.groupId, startedAt: "another time" });
    await endLeftCommands(recordsIn(host.stateDir));
    await host.workspace.write("go", new Uint8Array());
    await stranger.result;
    expect(await readFile(join(host.dir, "lived"), "utf8")).toBe("lived\n");
  });
});

it("a shell whose starter dies at the gate runs nothing", async () => {
  const options = { cwd: host.dir, env: { PATH: "/usr/bin:/bin" }, mark: openSync(otherMark(), "r") };
  const shell = await startShell("touch ran", options, ignore);
  closeSync(options.mark);
  shell.discard();
  await endLeftCommands(recordsIn(host.stateDir));
  await expect.poll(() => isGroupRunning(shell.group.groupId)).toBe(false);
  expect(existsSync(join(host.dir, "ran"))).toBe(false);
});
