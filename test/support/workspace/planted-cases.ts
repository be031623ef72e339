/** Escapes that only a real file system allows: links, pipes, names that are not text. */
import { beforeEach, describe, expect, it } from "vitest";
import { contentState } from "../../../src/workspace/file-state.ts";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import {
  bytesOf,
  expectRefusal,
  listed,
  NEVER,
  type OpenPlanted,
  type Plant,
  readText,
  run,
  searched,
  write,
} from "./workspace-under-test.ts";

const RANGE = { offset: 0, maxBytes: 100 };

export const describePlanted = (open: OpenPlanted): void => {
  let workspace: Workspace;
  let plant: Plant;
  beforeEach(async () => {
    ({ workspace, plant } = await open());
  });

  describe("a link", () => {
    it("to a file outside is refused", async () => {
      await plant.link("out.txt", await plant.outsideFile("secret"));
      await expectRefusal(workspace.read("out.txt", RANGE), "outside", /out\.txt/);
      await expectRefusal(workspace.write("out.txt", bytesOf("x")), "outside", /out\.txt/);
    });

    it("in the middle of a path that leaves the root is refused", async () => {
      const outside = await plant.outsideFile("secret");
      await plant.link("dir", outside.slice(0, outside.lastIndexOf("/")));
      const path = `dir/${outside.slice(outside.lastIndexOf("/") + 1)}`;
      await expectRefusal(workspace.read(path, RANGE), "outside", /dir/);
      await expectRefusal(workspace.write("dir/new.txt", bytesOf("x")), "outside", /dir/);
      await expectRefusal(workspace.delete(path), "outside", /dir/);
      await expectRefusal(run(workspace, "ls", { dir: "dir" }), "outside", /dir/);
    });

    it("by .. to above the root is refused", async () => {
      await plant.link("up", "..");
      await expectRefusal(workspace.list({ path: "up", limit: 10 }), "outside", /up/);
      await expectRefusal(workspace.write("up/x.txt", bytesOf("x")), "outside", /up/);
    });

    it("to outside is not followed by lists and searches", async () => {
      await write(workspace, "in.txt", "secret");
      const outside = await plant.outsideFile("secret");
      await plant.link("out.txt", outside);
      await plant.link("dir", outside.slice(0, outside.lastIndexOf("/")));
      expect(await listed(workspace, { glob: "in.txt" })).toEqual(["in.txt"]);
      expect(await searched(workspace, "secret")).toEqual(["in.txt:1:secret"]);
    });

    it("that stays inside is followed", async () => {
      await write(workspace, "real/a.txt", "here");
      await plant.link("alias", "real");
      expect(await readText(workspace, "alias/a.txt")).toBe("here");
    });

    it("is seen through by a real path, also where the file does not exist yet", async () => {
      await write(workspace, "package.json", "{}");
      await write(workspace, "real/a.txt", "here");
      await plant.link("real/x", "../package.json");
      await plant.link("alias", "real");
      const paths = ["real/x", "alias/a.txt", "alias/new/b.txt", "alias"];
      const real = await Promise.all(paths.map((path) => workspace.realPath(path)));
      expect(real).toEqual(["package.json", "real/a.txt", "real/new/b.txt", "real"]);
      await plant.link("out", await plant.outsideFile("secret"));
      await expectRefusal(workspace.realPath("out"), "outside", /out/);
    });

    it("that has come into the path is refused by a change with a condition", async () => {
      await write(workspace, "real/a.txt", "here");
      await plant.link("alias", "real");
      await plant.link("a.txt", "real/a.txt");
      const ifState = await contentState(bytesOf("here"));
      await expectRefusal(workspace.write("alias/a.txt", bytesOf("x"), { ifState }), "changed", /alias/);
      await expectRefusal(workspace.write("a.txt", bytesOf("x"), { ifState }), "changed", /a\.txt/);
      await expectRefusal(workspace.delete("a.txt", { ifState }), "changed", /a\.txt/);
      expect(await readText(workspace, "real/a.txt")).toBe("here");
    });

    it("to a guarded file is refused like the file", async () => {
      await run(workspace, "echo secret > .env");
      await plant.link("innocent.txt", ".env");
      await expectRefusal(workspace.read("innocent.txt", RANGE), "refused", /guarded/);
    });

    it("to itself is refused", async () => {
      await plant.link("loop", "loop");
      await expect(workspace.read("loop", RANGE)).rejects.toMatchObject({ name: "WorkspaceError" });
    });
  });

  describe("what is no file", () => {
    it("is refused at once when it is a pipe, and hangs no search", async () => {
      await plant.fifo("pipe");
      await expectRefusal(workspace.read("pipe", RANGE), "wrong_type", /pipe/);
      await expectRefusal(workspace.write("pipe", bytesOf("x")), "wrong_type", /pipe/);
      expect((await workspace.search({ path: ".", pattern: "x", context: 0, limit: 10 }, NEVER)).lines).toEqual([]);
    });

    it("has a name that is no UTF-8: lists and searches go on without breaking", async () => {
      await plant.nonUtf8Name(".");
      await write(workspace, "a.txt", "hit");
      expect(await listed(workspace)).toContain("a.txt");
      expect(await searched(workspace, "hit")).toContain("a.txt:1:hit");
    });
  });
};
