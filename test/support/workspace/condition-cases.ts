/** Conditional changes: made only if the file is still what was seen. */
import { beforeEach, describe, expect, it } from "vitest";
import { ABSENT, contentState } from "../../../src/workspace/file-state.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import { bytesOf, expectRefusal, listed, type Open, readText, run, write } from "./workspace-under-test.ts";

const stateOf = (text: string): Promise<string> => contentState(bytesOf(text));

export const describeConditions = (open: Open): void => {
  let workspace: Workspace;
  beforeEach(async () => {
    ({ workspace } = await open());
  });

  describe("a write with a condition", () => {
    it("replaces the content it names, and creates where it names none", async () => {
      await write(workspace, "a.txt", "old");
      await workspace.write("a.txt", bytesOf("new"), { ifState: await stateOf("old") });
      await workspace.write("deep/b.txt", bytesOf("born"), { ifState: ABSENT });
      expect([await readText(workspace, "a.txt"), await readText(workspace, "deep/b.txt")]).toEqual(["new", "born"]);
    });

    it("is refused over other content, and leaves it", async () => {
      await write(workspace, "a.txt", "mine");
      const other = workspace.write("a.txt", bytesOf("new"), { ifState: await stateOf("old") });
      await expectRefusal(other, "changed", /a\.txt/);
      await expectRefusal(workspace.write("a.txt", bytesOf("new"), { ifState: ABSENT }), "changed", /a\.txt/);
      expect(await readText(workspace, "a.txt")).toBe("mine");
      expect(await listed(workspace)).toEqual(["a.txt"]);
    });

    it("is refused where the file is gone, and makes nothing, neither it nor its directory", async () => {
      const ifState = await stateOf("old");
      await expectRefusal(workspace.write("a.txt", bytesOf("new"), { ifState }), "changed", /a\.txt/);
      await expectRefusal(workspace.write("deep/a.txt", bytesOf("new"), { ifState }), "changed", /a\.txt/);
      expect(await listed(workspace)).toEqual([]);
      expect(await workspace.stat("deep")).toBeUndefined();
    });

    it("is made by one alone of many that saw the same", async () => {
      await write(workspace, "a.txt", "0");
      const ifState = await stateOf("0");
      const texts = Array.from({ length: 20 }, (_, number) => `written by ${number}`);
      const made = await Promise.allSettled(texts.map((text) => workspace.write("a.txt", bytesOf(text), { ifState })));
      const winners = texts.filter((_, number) => made[number]?.status === "fulfilled");
      expect(winners).toEqual([await readText(workspace, "a.txt")]);
    });

    it("is made by one alone of many that saw nothing", async () => {
      const texts = Array.from({ length: 20 }, (_, number) => `written by ${number}`);
      const made = await Promise.allSettled(
        texts.map((text) => workspace.write("a.txt", bytesOf(text), { ifState: ABSENT })),
      );
      const winners = texts.filter((_, number) => made[number]?.status === "fulfilled");
      expect(winners).toEqual([await readText(workspace, "a.txt")]);
    });

    it("loses no line when many append by reading, writing and trying again", async () => {
      await write(workspace, "log.txt", "");
      await Promise.all(["a", "b", "c", "d", "e"].map((line) => append(workspace, "log.txt", line)));
      expect((await readText(workspace, "log.txt")).split("\n").sort()).toEqual(["", "a", "b", "c", "d", "e"]);
    });

    it("is refused on a directory as any write is", async () => {
      await write(workspace, "dir/a.txt", "x");
      await expectRefusal(workspace.write("dir", bytesOf("x"), { ifState: ABSENT }), "wrong_type", /dir/);
    });
  });

  describe("a deletion with a condition", () => {
    it("is made of what it names", async () => {
      await write(workspace, "a.txt", "old");
      await workspace.delete("a.txt", { ifState: await stateOf("old") });
      expect(await workspace.stat("a.txt")).toBeUndefined();
    });

    it("is refused of other content", async () => {
      await write(workspace, "a.txt", "old");
      await run(workspace, "echo more >> a.txt");
      await expectRefusal(workspace.delete("a.txt", { ifState: await stateOf("old") }), "changed", /a\.txt/);
      expect(await readText(workspace, "a.txt")).toBe("oldmore\n");
    });
  });

  describe("a real path", () => {
    it.each([
      ["a/b.txt", "a/b.txt"],
      ["./a//c/../b.txt", "a/b.txt"],
      ["missing/deeper.txt", "missing/deeper.txt"],
      [".", "."],
    ])("of %s, where there are no links, is %s", async (path, real) => {
      await write(workspace, "a/b.txt", "x");
      expect(await workspace.realPath(path)).toBe(real);
    });

    it.each([".env", ".ENV", "a/.Env.local", ".dev\u200b.vars", "ID_RSA", "key.PEM", ".GIT/Config"])(
      "of %j is refused, since it is guarded in any spelling",
      async (path) => {
        await expectRefusal(workspace.realPath(path), "refused", /guarded/);
        await expectRefusal(workspace.write(path, bytesOf("x"), { ifState: ABSENT }), "refused", /guarded/);
      },
    );
  });
};

/** Tries until nobody came between. */
const append = async (workspace: Workspace, path: string, line: string): Promise<void> => {
  const before = await readText(workspace, path);
  const after = bytesOf(`${before}${line}\n`);
  try {
    await workspace.write(path, after, { ifState: await stateOf(before) });
  } catch (error) {
    expect(error).toMatchObject({ code: "changed" });
    await append(workspace, path, line);
  }
};
