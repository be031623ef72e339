/** The durable workspace: the suite of every workspace, and what is its own. */
import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDurableWorkspace } from "../../../src/workspace/durable/durable-workspace.ts";
import { contentState } from "../../../src/workspace/file-state.ts";
import {
  commandOf,
  expectRefusal,
  listed,
  NEVER,
  readText,
  run,
  searched,
  write,
} from "../../support/workspace/workspace-under-test.ts";
import { describeWorkspace } from "../../support/workspace-conformance.ts";

const SILENT = () => undefined;

/** Of a machine that has more to do. */
const PATIENT = { timeout: 20_000 };

const somebody = () => OwnerEmail.parse(`${crypto.randomUUID()}@example.com`);
const openOne = (owner = somebody(), root = ".") => openDurableWorkspace(env.WORKSPACES, owner, root);

const MAX_BYTES = 1_500_000;

/** Of a file that is not text. */
const MAX_BINARY_BYTES = 1_480_000;

/** The first command of an isolate loads the shell, which takes seconds on a busy machine. */
beforeAll(async () => void (await run(await openOne(), "true")), 60_000);

describeWorkspace("the durable workspace", async () => ({
  workspace: await openOne(),
  maxWriteBytes: MAX_BINARY_BYTES,
}));

describeWorkspace("a directory of the durable workspace", async () => ({
  workspace: await openOne(somebody(), "/home/ann/project"),
  maxWriteBytes: MAX_BINARY_BYTES,
}));

describe("a root inside the durable workspace", () => {
  it("is all there is for its files and commands; nothing leads out of it", async () => {
    const owner = somebody();
    const whole = await openOne(owner);
    await write(whole, "home/secret.txt", "secret");
    await write(whole, "home/.gitignore", "*");
    const project = await openOne(owner, "/home/ann/project");
    await write(project, "a.txt", "mine");
    expect(await listed(project)).toEqual(["a.txt"]);
    await expectRefusal(project.read("../../secret.txt", { offset: 0, maxBytes: 10 }), "outside", /outside/);
    const script = "cat ../../secret.txt; cat /home/secret.txt; rm -rf ../..; echo x > ../up.txt; pwd; ls ..";
    expect(await run(project, script)).toMatchObject({ stdout: "/workspace\nup.txt\nworkspace\n" });
    expect(await readText(whole, "home/secret.txt")).toBe("secret");
    expect(await whole.stat("home/ann/up.txt")).toBeUndefined();
  });

  it("is there before anything is in it", async () => {
    const project = await openOne(somebody(), "deep/project");
    expect(await project.stat(".")).toMatchObject({ type: "directory" });
    expect(await listed(project)).toEqual([]);
    expect(await run(project, "pwd")).toMatchObject({ stdout: "/workspace\n" });
  });

  it.each([
    ["../up", "outside", /outside/],
    ["a/.env", "refused", /guarded/],
    ["a.txt/project", "wrong_type", /AGENT_WORKSPACE_DIR/],
  ] as const)("is refused where it is %s", async (root, code, named) => {
    const owner = somebody();
    await write(await openOne(owner), "a.txt", "a");
    await expectRefusal((await openOne(owner, root)).list({ path: ".", limit: 1 }), code, named);
  });
});

describe("a large tree", () => {
  it("of over 5,000 files is listed and searched, whole or up to a limit", { timeout: 120_000 }, async () => {
    const workspace = await openOne();
    const make = (part: number) => `mkdir p${part}; for i in $(seq 1000 1999); do echo "line $i" > p${part}/$i; done`;
    for (const part of [1, 2, 3, 4, 5]) await run(workspace, make(part));
    await write(workspace, "z/needle.txt", "the needle\n");
    const all = await workspace.list({ path: ".", limit: 10_000 });
    expect([all.entries.length, all.isCut, all.entries.at(-1)?.path]).toEqual([5_001, false, "z/needle.txt"]);
    const some = await workspace.list({ path: ".", limit: 100 });
    expect([some.entries.length, some.isCut]).toEqual([100, true]);
    expect(await searched(workspace, "needle")).toEqual(["z/needle.txt:1:the needle"]);
    const cut = await workspace.search({ path: ".", pattern: "line", context: 0, limit: 100 }, NEVER);
    expect([cut.lines.length, cut.isCut]).toEqual([100, true]);
  });
});

it("a file is searched as far as its pattern's length permits, and the result says that there is more", async () => {
  const workspace = await openOne();
  await write(workspace, "long.txt", `${"a\n".repeat(20_000)}needle\n`);
  const search = (pattern: string) => workspace.search({ path: ".", pattern, context: 0, limit: 1 }, NEVER);
  expect(await search("needle")).toMatchObject({ lines: [{ line: 20_001 }], isCut: false });
  expect(await search("[a-z]{0,1000}needle")).toEqual({ lines: [], isCut: true, tooLarge: "long.txt" });
  await expectRefusal(search("(a{0,500}b|c{0,500}d|e{0,500}f){1,2}"), "invalid", /smaller numbers/);
});

it("a text may have 1,500,000 bytes, a row of SQLite beside its path", async () => {
  const workspace = await openOne();
  const path = Array.from({ length: 16 }, () => "d".repeat(250)).join("/");
  await write(workspace, path, "é".repeat(MAX_BYTES / 2));
  await workspace.write(`${path}.bin`, new Uint8Array(MAX_BINARY_BYTES));
  expect([await workspace.stat(path), await workspace.stat(`${path}.bin`)]).toMatchObject([
    { size: MAX_BYTES },
    { size: MAX_BINARY_BYTES },
  ]);
});

describe("a file over 1,500,000 bytes", () => {
  it("is refused with its limit however it is written, also with a condition, and what was there stays", async () => {
    const workspace = await openOne();
    await write(workspace, "a.txt", "before");
    const large = new Uint8Array(MAX_BYTES + 1);
    const ifState = await contentState(new TextEncoder().encode("before"));
    await expectRefusal(workspace.write("a.txt", large, { ifState }), "too_large", /1500000/);
    await expectRefusal(workspace.write("b.txt", new Uint8Array(40_000_000)), "too_large", /1500000/);
    expect(await readText(workspace, "a.txt")).toBe("before");
    expect(await listed(workspace)).toEqual(["a.txt"]);
  });
});

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
  it("says of a file that is no text why it was not edited in place", async () => {
    const workspace = await openOne();
    await workspace.write("data/latin.csv", Uint8Array.of(0x67, 0xfc, 0x0a));
    const { exitCode, stderr } = await run(workspace, "sed -i s/x/y/ data/latin.csv");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("'data/latin.csv' is not plain text: it was left as it is, since bytes would be lost.\n");
  });

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
    const result = await run(workspace, command);
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
    const command = commandOf("touch started; until [ -e go ]; do sleep 0.02; done; echo done");
    const running = workspace.run(command, SILENT, NEVER);
    await expect.poll(() => workspace.stat("started"), PATIENT).toBeDefined();
    await expectRefusal(workspace.find(command.callId, AbortSignal.abort()), "unavailable", /reached/);
    await write(workspace, "go", "");
    expect(await running).toMatchObject({ end: "exited", stdout: "done\n" });
  });
});

describe("a command whose object died", () => {
  it("is not known any more, and is not run a second time", async () => {
    const workspace = await openOne();
    const command = commandOf("echo ran >> log.txt; sleep 30");
    const running = workspace.run(command, SILENT, NEVER);
    const lost = expectRefusal(running, "unavailable", /reached/);
    await expect.poll(() => workspace.stat("log.txt"), PATIENT).toBeDefined();
    await abortAllDurableObjects();
    await lost;
    expect(await workspace.find(command.callId, NEVER)).toBeUndefined();
    await expectRefusal(workspace.run(command, SILENT, NEVER), "repeated", /before/);
    expect(await readText(workspace, "log.txt")).toBe("ran\n");
  });
});
