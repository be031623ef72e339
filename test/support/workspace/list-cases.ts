/** Which files a list names, and in which order. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { expectRefusal, listed, type Open, run, write, writeAll } from "./workspace-under-test.ts";

/** Lists that are taken one after the other until `changes` have been made: one at every moment before. */
const listsDuring = async (workspace: Workspace, changes: Promise<void>): Promise<string[][]> => {
  let isOver = false;
  const over = changes.finally(() => {
    isOver = true;
  });
  const lists: string[][] = [];
  while (!isOver) lists.push(await listed(workspace));
  await over;
  return lists;
};

export const describeLists = (open: Open): void => {
  let workspace: Workspace;
  beforeEach(async () => {
    ({ workspace } = await open());
  });

  describe("a list", () => {
    it("of an empty workspace is empty", async () => {
      expect(await workspace.list({ path: ".", limit: 10 })).toEqual({ entries: [], isCut: false });
    });

    it("names files with their sizes", async () => {
      await write(workspace, "src/app.ts", "12345");
      const { entries } = await workspace.list({ path: ".", limit: 10 });
      expect(entries).toContainEqual({ path: "src/app.ts", type: "file", size: 5 });
    });

    it("is in the order of names, directory by directory", async () => {
      await writeAll(workspace, { "b.txt": "", "a-b.txt": "", "a/z.txt": "", "a/b/c.txt": "", "B.txt": "" });
      expect(await listed(workspace)).toEqual(["B.txt", "a/b/c.txt", "a/z.txt", "a-b.txt", "b.txt"]);
    });

    it("of a directory is of what is below it, with paths from the root", async () => {
      await writeAll(workspace, { "src/a.ts": "", "src/deep/b.ts": "", "src2/c.ts": "", "d.ts": "" });
      expect(await listed(workspace, { path: "src" })).toEqual(["src/a.ts", "src/deep/b.ts"]);
    });

    it("of what does not exist is refused", async () => {
      await expectRefusal(workspace.list({ path: "missing", limit: 10 }), "not_found", /missing/);
    });

    it.each([
      ["*.ts", ["src/a.ts", "src/deep/b.ts", "top.ts"]],
      ["/*.ts", ["top.ts"]],
      ["src/**", ["src/a.ts", "src/deep/b.ts", "src/deep/c.md"]],
      ["src/*.ts", ["src/a.ts"]],
      ["**/deep/*.md", ["src/deep/c.md"]],
      ["deep", ["src/deep/b.ts", "src/deep/c.md"]],
      ["[at]*.ts", ["src/a.ts", "top.ts"]],
      ["?.md", ["src/deep/c.md"]],
      ["*.py", []],
      ["*.{md,py}", ["src/deep/c.md"]],
      ["{top,src/{a,deep/*}}.ts", ["src/a.ts", "src/deep/b.ts", "top.ts"]],
      ["src/{,deep/}[ab].ts", ["src/a.ts", "src/deep/b.ts"]],
      ["./*.ts", ["top.ts"]],
      ["./src/*.ts", ["src/a.ts"]],
    ])(
      "with the glob %s names what a .gitignore with it, or with each of its alternatives, would",
      async (glob, expected) => {
        await writeAll(workspace, { "src/a.ts": "", "src/deep/b.ts": "", "src/deep/c.md": "", "top.ts": "" });
        expect(await listed(workspace, { glob })).toEqual(expected);
      },
    );

    it("matches a glob below the directory it is asked for", async () => {
      await writeAll(workspace, { "src/a.ts": "", "src/deep/b.ts": "", "a.ts": "" });
      expect(await listed(workspace, { path: "src", glob: "/*.ts" })).toEqual(["src/a.ts"]);
    });

    it("is cut at its limit and says so", async () => {
      await writeAll(workspace, { "a.txt": "", "b.txt": "", "c.txt": "" });
      const cut = await workspace.list({ path: ".", limit: 2 });
      expect(cut.entries.map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
      expect(cut.isCut).toBe(true);
      expect((await workspace.list({ path: ".", limit: 3 })).isCut).toBe(false);
    });

    it("whose paths are too much for one call ends with those that are not, and says that there is more", async () => {
      const deep = Array.from({ length: 15 }, () => "n".repeat(250)).join("/");
      await run(workspace, `mkdir -p ${deep}; cd ${deep}; for i in $(seq 1 300); do echo > $i.txt; done`);
      const { entries, isCut } = await workspace.list({ path: ".", limit: 5_000 });
      const length = entries.reduce((sum, { path }) => sum + path.length, 0);
      expect([isCut, length > 990_000, length <= 1_000_000]).toEqual([true, true, true]);
    });

    it("leaves out .git, but no name that only begins so", async () => {
      await writeAll(workspace, {
        ".git/HEAD": "ref",
        "sub/.git/HEAD": "ref",
        ".gitattributes": "",
        ".github/ci.yml": "",
      });
      expect(await listed(workspace)).toEqual([".gitattributes", ".github/ci.yml"]);
    });

    it("leaves out what .gitignore names, and says what it brings back", async () => {
      await writeAll(workspace, {
        ".gitignore": "*.log\n/build/\n!keep.log\n# a comment\n",
        "app.log": "",
        "keep.log": "",
        "build/out.js": "",
        "src/build/in.js": "",
      });
      expect(await listed(workspace)).toEqual([".gitignore", "keep.log", "src/build/in.js"]);
    });

    it("follows the .gitignore of each directory, and of those above the one it is asked for", async () => {
      await writeAll(workspace, {
        ".gitignore": "*.tmp\n",
        "pkg/.gitignore": "dist/\n!wanted.tmp\n",
        "pkg/a.tmp": "",
        "pkg/wanted.tmp": "",
        "pkg/dist/x.js": "",
        "dist/y.js": "",
      });
      expect(await listed(workspace, { path: "pkg" })).toEqual(["pkg/.gitignore", "pkg/wanted.tmp"]);
      expect(await listed(workspace, { path: "dist" })).toEqual(["dist/y.js"]);
    });

    it("lists a directory that is named although it is ignored, without what ignore files inside it name", async () => {
      await writeAll(workspace, {
        ".gitignore": "node_modules\n*.map\n",
        "node_modules/one/.gitignore": "dist/\n",
        "node_modules/one/dist/x.js": "",
        "node_modules/one/src/a.js": "",
        "node_modules/one/src/a.map": "",
        "node_modules/two.js": "",
      });
      const src = ["node_modules/one/src/a.js", "node_modules/one/src/a.map"];
      expect(await listed(workspace, { path: "node_modules/one/src" })).toEqual(src);
      const all = ["node_modules/one/.gitignore", ...src, "node_modules/two.js"];
      expect(await listed(workspace, { path: "node_modules" })).toEqual(all);
      expect(await listed(workspace)).toEqual([".gitignore"]);
    });

    it("shows more files than fit on one page of anything", async () => {
      await run(workspace, "mkdir many; for i in $(seq 1 1500); do echo $i > many/$i.txt; done");
      expect(await listed(workspace, { path: "many", glob: "*9.txt" })).toHaveLength(150);
      expect((await workspace.list({ path: ".", limit: 5_000 })).isCut).toBe(false);
    });

    it("has all files that stay while others come and go", async () => {
      const named = (what: string) => Array.from({ length: 25 }, (_, index) => `${10 + index}-${what}.txt`);
      const stay = named("stays");
      await writeAll(workspace, Object.fromEntries([...stay, ...named("goes")].map((path) => [path, "x"])));
      const change = async () => {
        for (const path of named("goes")) await workspace.delete(path);
        for (const path of named("comes")) await write(workspace, path, "x");
      };
      const lists = await listsDuring(workspace, change());
      expect(lists.map((list) => list.filter((path) => path.endsWith("-stays.txt")))).toEqual(lists.map(() => stay));
      expect(await listed(workspace)).toEqual([...stay, ...named("comes")].sort());
    });
  });
};
