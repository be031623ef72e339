/** Commands: how they end, what they leave, and that none runs twice. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { commandOf, expectRefusal, NEVER, type Open, readBytes, readText, run, write } from "./workspace-under-test.ts";

const SILENT = () => undefined;

/** Of a machine that has more to do. */
const PATIENT = { timeout: 20_000 };

export const describeCommands = (open: Open): void => {
  let workspace: Workspace;
  beforeEach(async () => {
    ({ workspace } = await open());
  });

  describe("a command", () => {
    it("gives its output and exit code", async () => {
      const expected = { end: "exited", exitCode: 0, stdout: "hello\n", stderr: "", isCut: false };
      expect(await run(workspace, "echo hello")).toEqual(expected);
    });

    it.each([
      ["exit 3", 3],
      ["false", 1],
      ["no-such-program", 127],
      ["true && false || exit 9", 9],
    ])("%s exits with %d", async (command, exitCode) => {
      expect(await run(workspace, command)).toMatchObject({ end: "exited", exitCode });
    });

    it("keeps its two outputs apart, and tells both while or after it runs", async () => {
      const told = { stdout: "", stderr: "" };
      const result = await workspace.run(
        commandOf("echo out; echo err >&2"),
        (stream, text) => {
          told[stream] += text;
        },
        NEVER,
      );
      expect(told).toEqual({ stdout: "out\n", stderr: "err\n" });
      expect(result).toMatchObject(told);
    });

    it("works on the files, and they are the tools' files", async () => {
      await write(workspace, "in.txt", "b\na\n");
      await run(workspace, "sort in.txt > out.txt");
      expect(await readText(workspace, "out.txt")).toBe("a\nb\n");
    });

    it("runs in its directory", async () => {
      await write(workspace, "sub/a.txt", "there");
      expect(await run(workspace, "cat a.txt", { dir: "sub" })).toMatchObject({ exitCode: 0, stdout: "there" });
    });

    it("is refused in a directory that does not exist or is a file, and does not run", async () => {
      await write(workspace, "a.txt", "file");
      await expectRefusal(run(workspace, "echo x", { dir: "missing" }), "not_found", /missing/);
      await expectRefusal(run(workspace, "echo x", { dir: "a.txt" }), "wrong_type", /a\.txt/);
    });

    it("has pipes, loops, functions and here-documents", async () => {
      const script = 'f() { echo "<$1>"; }\nfor i in 1 2 3; do f $i; done | tail -n 1\ncat <<END\n  two\nEND\n';
      expect(await run(workspace, script)).toMatchObject({ exitCode: 0, stdout: "<3>\n  two\n" });
    });

    it("gives text of any script as it is", async () => {
      await write(workspace, "a.txt", "日本 🎉\n");
      expect(await run(workspace, "cat a.txt; echo grüße")).toMatchObject({ stdout: "日本 🎉\ngrüße\n" });
    });

    it("gives a mark for half of a character", async () => {
      const { stdout, stderr } = await run(workspace, "printf %.1s 😀; printf %.1s 😀 >&2");
      // As JSON, which shows a half as an escape: as it is it would break the channel that tells of a failure.
      expect([stdout, stderr].map((text) => JSON.stringify(text))).toEqual(['"\ufffd"', '"\ufffd"']);
    });

    it("keeps bytes that are no text", async () => {
      await workspace.write("a.bin", Uint8Array.of(0, 255, 254, 10, 128));
      await run(workspace, "cat a.bin a.bin > b.bin; cp b.bin c.bin");
      expect(await readBytes(workspace, "c.bin")).toEqual(Uint8Array.of(0, 255, 254, 10, 128, 0, 255, 254, 10, 128));
    });

    it("makes, copies, moves and removes files and directories", async () => {
      const script = "mkdir -p a/b && echo x > a/b/c && cp -r a d && mv d e && rm -r a && cat e/b/c && ls";
      expect(await run(workspace, script)).toMatchObject({ exitCode: 0, stdout: "x\ne\n", stderr: "" });
    });

    it("replaces a file by a copy, and by one that is moved there", async () => {
      const script = "echo 1 > a; echo 2 > b; echo 3 > c; cp a b && mv b c && cat c && ls";
      expect(await run(workspace, script)).toMatchObject({ exitCode: 0, stdout: "1\na\nc\n" });
    });

    it("does not move a directory over one that has files, and moves it over an empty one", async () => {
      const make = "mkdir -p new/src src empty/src && echo new > new/src/a && echo old > src/a";
      expect(await run(workspace, `${make} && mv new/src .`)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/not empty/i),
      });
      const rest = "cat src/a new/src/a && mv new/src empty && cat empty/src/a && ls new";
      expect(await run(workspace, rest)).toMatchObject({ exitCode: 0, stdout: "old\nnew\nnew\n" });
    });

    it("keeps a byte order mark in a file that it edits in place", async () => {
      await write(workspace, "marked.csv", "\uFEFFname\nold\n");
      expect(await run(workspace, "sed -i s/old/new/ marked.csv")).toMatchObject({ exitCode: 0 });
      expect(await readText(workspace, "marked.csv")).toBe("\uFEFFname\nnew\n");
    });

    it("loses no byte that is not UTF-8 when it edits a file in place, even where it then fails", async () => {
      await workspace.write("latin.csv", Uint8Array.of(0x67, 0xfc, 0x0a));
      await run(workspace, "sed -i s/x/y/ latin.csv");
      expect(await readBytes(workspace, "latin.csv")).toEqual(Uint8Array.of(0x67, 0xfc, 0x0a));
    });

    it("appends, and matches names by patterns", async () => {
      const script = "echo 1 > a.txt; echo 2 >> a.txt; echo 3 > b.txt; touch c.md; cat *.txt";
      expect(await run(workspace, script)).toMatchObject({ stdout: "1\n2\n3\n" });
    });

    it("appends what it has at the same time as another, however long the file is", async () => {
      await write(workspace, "log.txt", "0123456789\n".repeat(100_000));
      await Promise.all([run(workspace, "echo one >> log.txt"), run(workspace, "echo two >> log.txt")]);
      expect(await run(workspace, "tail -n 2 log.txt | sort")).toMatchObject({ stdout: "one\ntwo\n" });
    });

    it("gets no key and no token in its environment", async () => {
      const { exitCode, stdout } = await run(workspace, "env");
      expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^LANG=./m) });
      expect(stdout).not.toMatch(/KEY|TOKEN|SECRET|PASSWORD/i);
    });

    it("shares nothing with the next but the files", async () => {
      await run(workspace, "export LEFT=over; mkdir d; cd d");
      expect(await run(workspace, 'echo "[$LEFT]"; ls')).toMatchObject({ stdout: "[]\nd\n" });
    });

    it("that takes too long is ended", async () => {
      // Left to itself it would outlast the test. What it does first is not looked at: its time may be over before the shell has begun.
      const result = await run(workspace, "sleep 600; touch after", { timeoutMs: 300 });
      expect(result).toMatchObject({ end: "timed_out", exitCode: null });
      expect(await workspace.stat("after")).toBeUndefined();
    });

    it("that is aborted while it runs ends, and what was done stays", async () => {
      const abort = new AbortController();
      const running = workspace.run(commandOf("touch before; sleep 30; touch after"), SILENT, abort.signal);
      await expect.poll(() => workspace.stat("before"), PATIENT).toBeDefined();
      abort.abort();
      expect(await running).toMatchObject({ end: "aborted", exitCode: null });
      expect(await workspace.stat("before")).toBeDefined();
      expect(await workspace.stat("after")).toBeUndefined();
    });

    it("whose signal has aborted before does nothing", async () => {
      const result = await workspace.run(commandOf("touch done"), SILENT, AbortSignal.abort());
      expect(result).toMatchObject({ end: "aborted" });
      expect(await workspace.stat("done")).toBeUndefined();
    });

    it("that never ends by itself is ended", async () => {
      const { end, exitCode } = await run(workspace, "while true; do :; done", { timeoutMs: 1_500 });
      expect([end, exitCode]).not.toEqual(["exited", 0]);
    });

    it("leaves the workspace usable while it runs", async () => {
      const waiting = "touch begun; until [ -e meanwhile.txt ]; do sleep 0.02; done; cat meanwhile.txt";
      const running = run(workspace, waiting);
      await expect.poll(() => workspace.stat("begun"), PATIENT).toBeDefined();
      await write(workspace, "meanwhile.txt", "written");
      expect(await running).toMatchObject({ end: "exited", stdout: "written" });
    });

    it("has its output beyond 1 MB left out in the middle", async () => {
      await write(workspace, "big.txt", "0123456789\n".repeat(100_000));
      const result = await run(workspace, "echo first; cat big.txt big.txt; echo last");
      expect(result).toMatchObject({ exitCode: 0, isCut: true });
      expect(result.stdout).toMatch(/^first\n0123456789\n/);
      expect(result.stdout).toMatch(/\n0123456789\nlast\n$/);
      expect(result.stdout.length).toBeLessThan(1_100_000);
    });
  });

  describe("a command's id", () => {
    it("runs once: the same again is refused, also with another command", async () => {
      const command = commandOf("echo ran >> log.txt");
      await workspace.run(command, SILENT, NEVER);
      await expectRefusal(workspace.run(command, SILENT, NEVER), "repeated", /before/);
      const other = { ...command, command: "echo other >> log.txt" };
      await expectRefusal(workspace.run(other, SILENT, NEVER), "repeated", /before/);
      expect(await readText(workspace, "log.txt")).toBe("ran\n");
    });

    it("runs once when it comes twice at the same time", async () => {
      const command = commandOf("echo ran >> log.txt");
      const both = [workspace.run(command, SILENT, NEVER), workspace.run(command, SILENT, NEVER)];
      const outcomes = await Promise.allSettled(both);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(await readText(workspace, "log.txt")).toBe("ran\n");
    });

    it("finds what became of a command that has ended", async () => {
      const command = commandOf("echo out; echo err >&2; exit 4");
      const result = await workspace.run(command, SILENT, NEVER);
      expect(await workspace.find(command.callId, NEVER)).toEqual(result);
    });

    it("finds a running command by waiting for its end", async () => {
      const command = commandOf("touch started; sleep 0.5; echo done");
      const running = workspace.run(command, SILENT, NEVER);
      await expect.poll(() => workspace.stat("started"), PATIENT).toBeDefined();
      expect(await workspace.find(command.callId, NEVER)).toMatchObject({ end: "exited", stdout: "done\n" });
      await running;
    });

    it("stops a running command, whoever asks, and gives what it had said", async () => {
      const command = commandOf("echo begun; touch started; sleep 60; touch after");
      const running = workspace.run(command, SILENT, NEVER);
      await expect.poll(() => workspace.stat("started"), PATIENT).toBeDefined();
      const stopped = await workspace.stop(command.callId, NEVER);
      expect(stopped).toMatchObject({ end: "aborted", exitCode: null });
      expect(await running).toEqual(stopped);
      expect(await workspace.stat("after")).toBeUndefined();
    });

    it("leaves the result of a command alone that has ended", async () => {
      const command = commandOf("echo done");
      const result = await workspace.run(command, SILENT, NEVER);
      expect(await workspace.stop(command.callId, NEVER)).toEqual(result);
    });

    it("that was stopped before its command came keeps it from running", async () => {
      const command = commandOf("touch ran");
      expect(await workspace.stop(command.callId, NEVER)).toBeUndefined();
      await workspace.run(command, SILENT, NEVER).catch(() => undefined);
      expect(await workspace.stat("ran")).toBeUndefined();
    });

    it("that nobody has used finds nothing", async () => {
      expect(await workspace.find(crypto.randomUUID(), NEVER)).toBeUndefined();
    });
  });
};
