/** Reading, writing and deleting files. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import {
  bytesOf,
  expectRefusal,
  listed,
  type Open,
  readBytes,
  readText,
  write,
  writeAll,
} from "./workspace-under-test.ts";

/** Bytes that are no text, none like its neighbours. */
const noise = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) & 0xff);

export const describeFiles = (open: Open): void => {
  let workspace: Workspace;
  let maxWriteBytes: number;
  beforeEach(async () => {
    ({ workspace, maxWriteBytes } = await open());
  });

  describe("a file", () => {
    it.each([
      ["text", bytesOf("line one\nline two\n")],
      ["nothing", new Uint8Array()],
      ["every byte", Uint8Array.from({ length: 256 }, (_, byte) => byte)],
      ["text with a byte order mark", Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)],
      ["text with NUL", bytesOf("a\0b")],
      ["Latin-1 text, which is no UTF-8", Uint8Array.of(0x67, 0x72, 0xfc, 0xdf)],
      ["an overlong encoding", Uint8Array.of(0xc0, 0xaf)],
      ["carriage returns", bytesOf("a\r\nb\r\n")],
      ["characters beyond the basic plane", bytesOf("🎉 𝒙")],
    ])("that holds %s comes back byte by byte", async (_, bytes) => {
      await workspace.write("kept.bin", bytes);
      expect(await readBytes(workspace, "kept.bin")).toEqual(bytes);
      expect(await workspace.stat("kept.bin")).toMatchObject({ type: "file", size: bytes.byteLength });
    });

    it("is read from an offset, for at most so many bytes, with its whole size", async () => {
      await write(workspace, "digits.txt", "0123456789");
      expect(await workspace.read("digits.txt", { offset: 3, maxBytes: 4 })).toEqual({
        bytes: bytesOf("3456"),
        size: 10,
      });
    });

    it("gives what there is when more is asked for, and nothing beyond its end", async () => {
      await write(workspace, "digits.txt", "0123456789");
      expect((await workspace.read("digits.txt", { offset: 8, maxBytes: 50 })).bytes).toEqual(bytesOf("89"));
      expect((await workspace.read("digits.txt", { offset: 99, maxBytes: 50 })).bytes).toEqual(new Uint8Array());
    });

    it("may be as large as the workspace says", async () => {
      const bytes = noise(maxWriteBytes);
      await workspace.write("large.bin", bytes);
      const { bytes: tail, size } = await workspace.read("large.bin", { offset: maxWriteBytes - 5, maxBytes: 10 });
      expect({ tail, size }).toEqual({ tail: bytes.slice(-5), size: maxWriteBytes });
    });

    it("that is larger is refused with the limit, and leaves what was there", async () => {
      await write(workspace, "large.bin", "before");
      const tooLarge = workspace.write("large.bin", new Uint8Array(maxWriteBytes + 1));
      await expectRefusal(tooLarge, "too_large", new RegExp(String(maxWriteBytes)));
      expect(await readText(workspace, "large.bin")).toBe("before");
    });

    it("is written with the directories above it", async () => {
      await write(workspace, "a/b/c/d.txt", "deep");
      expect(await workspace.stat("a/b/c")).toMatchObject({ type: "directory" });
      expect(await readText(workspace, "a/b/c/d.txt")).toBe("deep");
    });

    it("is replaced as a whole by a shorter one", async () => {
      await write(workspace, "notes.md", "a long text");
      await write(workspace, "notes.md", "short");
      expect(await readText(workspace, "notes.md")).toBe("short");
    });

    it("is either the old or a new one while several write it at once", async () => {
      const versions = ["a", "b", "c", "d"].map((letter) => letter.repeat(100_000));
      await Promise.all(versions.map((text) => write(workspace, "raced.txt", text)));
      expect(versions).toContain(await readText(workspace, "raced.txt"));
      expect(await listed(workspace)).toEqual(["raced.txt"]);
    });

    it("says when it was written", async () => {
      const startedAtMs = Date.now();
      await write(workspace, "now.txt", "x");
      const stat = await workspace.stat("now.txt");
      // Some file systems count in seconds.
      expect(stat?.modifiedAtMs).toBeGreaterThanOrEqual(startedAtMs - 2_000);
    });

    it("that is deleted is gone, and so is nothing else", async () => {
      await writeAll(workspace, { "a/one.txt": "1", "a/two.txt": "2" });
      await workspace.delete("a/one.txt");
      expect(await workspace.stat("a/one.txt")).toBeUndefined();
      expect(await listed(workspace)).toEqual(["a/two.txt"]);
    });
  });

  describe("what is not a file", () => {
    const RANGE = { offset: 0, maxBytes: 10 };

    it("has no stat when there is nothing", async () => {
      expect(await workspace.stat("missing.txt")).toBeUndefined();
      expect(await workspace.stat("missing/deeper.txt")).toBeUndefined();
    });

    it("cannot be read or deleted when there is nothing", async () => {
      await expectRefusal(workspace.read("missing.txt", RANGE), "not_found", /missing\.txt/);
      await expectRefusal(workspace.delete("missing.txt"), "not_found", /missing\.txt/);
    });

    it("cannot be read, written or deleted when it is a directory", async () => {
      await write(workspace, "src/app.ts", "x");
      await expectRefusal(workspace.read("src", RANGE), "wrong_type", /src/);
      await expectRefusal(workspace.write("src", bytesOf("x")), "wrong_type", /src/);
      await expectRefusal(workspace.delete("src"), "wrong_type", /src/);
      expect(await listed(workspace)).toEqual(["src/app.ts"]);
    });

    it("is the root, which is a directory from the start", async () => {
      expect(await workspace.stat(".")).toMatchObject({ type: "directory" });
      await expectRefusal(workspace.write(".", bytesOf("x")), "wrong_type", /"\."/);
      await expectRefusal(workspace.delete("."), "wrong_type", /"\."/);
    });

    it("cannot hold a file when it is one", async () => {
      await write(workspace, "a.txt", "file");
      await expectRefusal(workspace.write("a.txt/b.txt", bytesOf("x")), "wrong_type", /a\.txt\/b\.txt/);
      expect(await readText(workspace, "a.txt")).toBe("file");
    });
  });
};
