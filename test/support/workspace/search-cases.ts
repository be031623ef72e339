/** What a search finds, and that no pattern hangs it. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { bytesOf, expectRefusal, NEVER, type Open, run, searched, write, writeAll } from "./workspace-under-test.ts";

export const describeSearches = (open: Open): void => {
  let workspace: Workspace;
  beforeEach(async () => {
    ({ workspace } = await open());
  });

  describe("a search", () => {
    it("gives each line that matches, by path and line", async () => {
      await writeAll(workspace, { "b.txt": "one\ntwo\none two\n", "a.txt": "two" });
      expect(await searched(workspace, "two")).toEqual(["a.txt:1:two", "b.txt:2:two", "b.txt:3:one two"]);
    });

    it.each([
      ["^fn \\w+\\(", ["app.rs:1:fn main() {"]],
      ["\\d{3}", ["app.rs:2:  let x = 123;"]],
      ["(?i)MAIN", ["app.rs:1:fn main() {"]],
      ["x|}$", ["app.rs:2:  let x = 123;", "app.rs:3:}"]],
      ["\\{$", ["app.rs:1:fn main() {"]],
      ["zebra", []],
    ])("takes %s as a regular expression", async (pattern, expected) => {
      await write(workspace, "app.rs", "fn main() {\n  let x = 123;\n}\n");
      expect(await searched(workspace, pattern)).toEqual(expected);
    });

    it("counts case and finds any script", async () => {
      await write(workspace, "a.txt", "Grüße\ngrüße\n日本語\n");
      expect(await searched(workspace, "grüße")).toEqual(["a.txt:2:grüße"]);
      expect(await searched(workspace, "日.語")).toEqual(["a.txt:3:日本語"]);
    });

    it("gives lines of context once each, where matches are close", async () => {
      await write(workspace, "a.txt", "1\n2 hit\n3\n4 hit\n5\n6\n7\n");
      const expected = ["a.txt-1-1", "a.txt:2:2 hit", "a.txt-3-3", "a.txt:4:4 hit", "a.txt-5-5"];
      expect(await searched(workspace, "hit", { context: 1 })).toEqual(expected);
    });

    it("knows no context beyond the file's ends", async () => {
      await write(workspace, "a.txt", "hit");
      expect(await searched(workspace, "hit", { context: 5 })).toEqual(["a.txt:1:hit"]);
    });

    it("gives lines that end with a carriage return without it", async () => {
      await write(workspace, "a.txt", "one\r\ntwo\r\n");
      expect(await searched(workspace, "one$")).toEqual(["a.txt:1:one"]);
    });

    it("knows where the first line begins that has a byte order mark, however many files there are", async () => {
      await run(workspace, "mkdir many; for i in $(seq 1 60); do echo $i > many/$i.txt; done");
      await write(workspace, "marked.cs", "\uFEFFusing A;\n");
      expect(await searched(workspace, "^using")).toEqual(["marked.cs:1:using A;"]);
    });

    it("cuts a long line between characters", async () => {
      await write(workspace, "a.txt", `a${"😀".repeat(1_500)}\n`);
      const [line = ""] = await searched(workspace, "a");
      expect([line.isWellFormed(), line.length]).toEqual([true, "a.txt:1:".length + 1_999]);
    });

    it("is cut after its limit of matches and says so", async () => {
      await writeAll(workspace, { "a.txt": "x\nx\n", "b.txt": "x\n" });
      const query = { path: ".", pattern: "x", context: 0 };
      expect(await searched(workspace, "x", { limit: 2 })).toEqual(["a.txt:1:x", "a.txt:2:x"]);
      expect((await workspace.search({ ...query, limit: 2 }, NEVER)).isCut).toBe(true);
      expect((await workspace.search({ ...query, limit: 3 }, NEVER)).isCut).toBe(false);
    });

    it("whose lines are too much for one call ends with those that are not, and says that there is more", async () => {
      const long = `${"x".repeat(2_000)}\n`;
      const text = `${long.repeat(20)}needle\n${long.repeat(20)}`.repeat(10);
      await writeAll(workspace, { "a.txt": text, "b.txt": text });
      const found = await workspace.search({ path: ".", pattern: "needle", context: 20, limit: 1_000 }, NEVER);
      const length = found.lines.reduce((sum, line) => sum + line.path.length + line.text.length, 0);
      expect([found.isCut, length > 990_000, length <= 1_000_000]).toEqual([true, true, true]);
    });

    it("stays below its directory and its glob", async () => {
      await writeAll(workspace, { "src/a.ts": "x", "src/a.md": "x", "b.ts": "x" });
      expect(await searched(workspace, "x", { path: "src" })).toEqual(["src/a.md:1:x", "src/a.ts:1:x"]);
      expect(await searched(workspace, "x", { glob: "*.ts" })).toEqual(["b.ts:1:x", "src/a.ts:1:x"]);
    });

    it("may be of one file", async () => {
      await writeAll(workspace, { "a.txt": "x", "b.txt": "x" });
      expect(await searched(workspace, "x", { path: "b.txt" })).toEqual(["b.txt:1:x"]);
    });

    it("may be of a directory that is ignored, however many files it has", async () => {
      await run(workspace, "mkdir -p out/many; for i in $(seq 1 60); do echo $i > out/many/$i.txt; done");
      await write(workspace, ".gitignore", "out/\n");
      expect(await searched(workspace, "^60", { path: "out/many" })).toEqual(["out/many/60.txt:1:60"]);
    });

    it("of what does not exist is refused", async () => {
      const missing = workspace.search({ path: "missing", pattern: "x", context: 0, limit: 10 }, NEVER);
      await expectRefusal(missing, "not_found", /missing/);
    });

    it("passes over binary files, .git and what .gitignore names", async () => {
      await writeAll(workspace, {
        ".gitignore": "out/",
        "out/a.txt": "needle",
        ".git/HEAD": "needle",
        "b.txt": "needle",
      });
      await workspace.write("c.bin", bytesOf("needle\0needle"));
      expect(await searched(workspace, "needle")).toEqual(["b.txt:1:needle"]);
    });

    it("reads text that is no UTF-8 around what is none", async () => {
      await workspace.write("latin.txt", Uint8Array.of(0x67, 0xfc, 0x0a, 0x68, 0x69, 0x74, 0x0a));
      expect(await searched(workspace, "hit")).toEqual(["latin.txt:2:hit"]);
    });

    it.each(["(", "[a", "a{2,1}", "*a", "(?P<n"])("refuses %s, which is no pattern, and says so", async (pattern) => {
      await write(workspace, "a.txt", "x");
      const broken = workspace.search({ path: ".", pattern, context: 0, limit: 10 }, NEVER);
      await expectRefusal(broken, "invalid", /pattern|expression/);
    });

    it.each(["(a+)+$", "(a|aa)+$", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$"])(
      "with %s, which hangs a backtracking engine, ends",
      async (pattern) => {
        await write(workspace, "a.txt", `${"a".repeat(20_000)}!\nend\n`);
        expect(await searched(workspace, pattern)).toEqual([]);
      },
    );

    it("whose signal has aborted before finds nothing", async () => {
      await write(workspace, "a.txt", "x");
      const aborted = await workspace.search({ path: ".", pattern: "x", context: 0, limit: 10 }, AbortSignal.abort());
      expect(aborted).toEqual({ lines: [], isCut: true });
    });
  });
};
