/** The durable workspace: the suite of every workspace, and what is its own. */
import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDurableWorkspace } from "../../../src/workspace/durable-workspace.ts";
import {
  commandOf,
  expectRefusal,
  listed,
  NEVER,
  readText,
  run,
  write,
} from "../../support/workspace/workspace-under-test.ts";
import { describeWorkspace } from "../../support/workspace-conformance.ts";

const SILENT = () => undefined;

const somebody = () => OwnerEmail.parse(`${crypto.randomUUID()}@example.com`);
const openOne = (owner = somebody()) => openDurableWorkspace(env.WORKSPACES, owner);

describeWorkspace("the durable workspace", async () => ({ workspace: await openOne(), maxWriteBytes: 1_500_000 }));

describe("an owner's files", () => {
  it("are the same for every client of the owner, and nobody else's", async () => {
    const owner = somebody();
    await write(await openOne(owner), "mine.txt", "mine");
    expect(await listed(await openOne(owner))).toEqual(["mine.txt"]);
    expect(await listed(await openOne())).toEqual([]);
  });

  it("outlive the object", async () => {
    const workspace = await openOne();
    await write(workspace, "kept.txt", "kept");
    await abortAllDurableObjects();
    expect(await readText(workspace, "kept.txt")).toBe("kept");
  });
});

describe("the shell without a system", () => {
  it("has no links, so there is none to follow out", async () => {
    const workspace = await openOne();
    await write(workspace, "a.txt", "a");
    const { exitCode } = await run(workspace, "ln -s /etc/passwd out || ln a.txt b.txt");
    expect(exitCode).not.toBe(0);
    expect(await listed(workspace)).toEqual(["a.txt"]);
  });

  it.each(["curl https://example.com", "wget https://example.com", "node -e 1", "python3 -c 1"])(
    "has no %s",
    async (command) => {
      expect(await run(await openOne(), command)).toMatchObject({ exitCode: 127, stdout: "" });
    },
  );

  it("sees the workspace at one place, and the rest of its tree is forgotten", async () => {
    const workspace = await openOne();
    await write(workspace, "sub/a.txt", "a");
    expect(await run(workspace, "pwd; echo x > /tmp.txt; cat /../workspace/sub/a.txt", { dir: "sub" })).toMatchObject({
      stdout: "/workspace/sub\na",
    });
    expect(await run(workspace, "ls /")).toMatchObject({ stdout: "workspace\n" });
    expect(await listed(workspace)).toEqual(["sub/a.txt"]);
  });

  it("loses no file of a large directory that it moves or copies", async () => {
    const workspace = await openOne();
    await run(workspace, "mkdir many; for i in $(seq 1 1100); do echo > many/$i; done");
    await run(workspace, "cp -r many copied; mv many moved");
    expect(await workspace.list({ path: "moved", limit: 1_100 })).toMatchObject({ isCut: false });
    const { entries } = await workspace.list({ path: ".", limit: 5_000 });
    expect(entries).toHaveLength(2_200);
  });

  it("breaks a command off that makes a file too large, and says which limit it was", async () => {
    const workspace = await openOne();
    await write(workspace, "a.txt", "a".repeat(1_000_000));
    const result = await run(workspace, "cat a.txt a.txt > b.txt");
    expect(result).toMatchObject({ end: "exited", exitCode: 1, stderr: expect.stringMatching(/1500000/) });
  });

  it.each([
    ["a loop", "while true; do :; done"],
    ["a recursion", "f() { f | f; }; f"],
    ["a growing string", "x=a; while true; do x=$x$x; done"],
    ["a loop of awk", "awk 'BEGIN { while (1) x++ }'"],
    ["a loop of sed", "sed ':a;ba' a.txt"],
    ["a product of braces", "echo {1..10000}{1..10000}"],
    ["a loop that replaces in a long string", `x=$(printf '%1000000d' 1); while true; do y=\${x// /ab}; done`],
  ])("ends %s that would not end, by counting", async (_, command) => {
    const workspace = await openOne();
    await write(workspace, "a.txt", "a\n");
    const result = await run(workspace, command, { timeoutMs: 600_000 });
    expect(result).toMatchObject({ end: "exited", exitCode: 126, stderr: expect.stringMatching(/exceeded|too many/) });
  });
});

describe("an abort", () => {
  it("that comes with the call itself still finds the command", async () => {
    const abort = new AbortController();
    const running = (await openOne()).run(commandOf("sleep 30"), SILENT, abort.signal);
    abort.abort();
    expect(await running).toMatchObject({ end: "aborted" });
  });

  it("of a wait for a command leaves the command alone", async () => {
    const workspace = await openOne();
    const command = commandOf("touch started; sleep 0.5; echo done");
    const running = workspace.run(command, SILENT, NEVER);
    await expect.poll(() => workspace.stat("started")).toBeDefined();
    await expectRefusal(workspace.find(command.callId, AbortSignal.abort()), "unavailable", /reached/);
    expect(await running).toMatchObject({ end: "exited", stdout: "done\n" });
  });
});

describe("a command whose object died", () => {
  it("is not known any more, and is not run a second time", async () => {
    const workspace = await openOne();
    const command = commandOf("echo ran >> log.txt; sleep 30");
    const running = workspace.run(command, SILENT, NEVER);
    const lost = expectRefusal(running, "unavailable", /reached/);
    await expect.poll(() => workspace.stat("log.txt")).toBeDefined();
    await abortAllDurableObjects();
    await lost;
    expect(await workspace.find(command.callId, NEVER)).toBeUndefined();
    await expectRefusal(workspace.run(command, SILENT, NEVER), "repeated", /before/);
    expect(await readText(workspace, "log.txt")).toBe("ran\n");
  });
});
