/** What only a real file system has: links that change meanwhile, modes, permissions, names that are not text. */
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contentState } from "../../../src/workspace/file-state.ts";
import { UNREACHABLE } from "../../../src/workspace/host/host-answer.ts";
import { HostWorkspace } from "../../../src/workspace/host/host-workspace.ts";
import { holdDirectory } from "../../../src/workspace-server/tree/held-directory.ts";
import { startWorkspaceServer } from "../../../src/workspace-server/workspace-server.ts";
import { type HostWorkspaceUnderTest, openHostWorkspace } from "../../support/host-workspace.ts";
import { nodeFetch } from "../../support/node-fetch.ts";

const NEVER = new AbortController().signal;
const ALL = { offset: 0, maxBytes: 1_000 };
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Puts something else at a path, where the server makes directories and files at the same time. */
const replace = (path: string, make: () => void): void => {
  rmSync(path, { recursive: true, force: true, maxRetries: 10 });
  try {
    make();
  } catch {
    // A write has just made the directory above its file.
    replace(path, make);
  }
};

/** Where a link leads; undefined when it is gone. */
const linkOf = (path: string): string | undefined => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
};

let host: HostWorkspaceUnderTest;
beforeEach(async () => {
  host = await openHostWorkspace();
});
afterEach(() => host.close());

describe("a guarded file under a second name", () => {
  it.each(["notes.txt", "sub/deep/notes.txt"])(
    "%s is neither read nor searched; other hard links are",
    async (name) => {
      mkdirSync(join(host.dir, "sub/deep"), { recursive: true });
      mkdirSync(join(host.dir, ".aws"));
      writeFileSync(join(host.dir, ".env"), "needle\n");
      writeFileSync(join(host.dir, ".aws/credentials"), "needle\n");
      writeFileSync(join(host.dir, "open.txt"), "needle\n");
      linkSync(join(host.dir, ".env"), join(host.dir, name));
      linkSync(join(host.dir, ".aws/credentials"), join(host.dir, `${name}.more`));
      linkSync(join(host.dir, "open.txt"), join(host.dir, "same.txt"));
      const refused = { code: "refused", message: expect.stringContaining("guarded") };
      await expect(host.workspace.read(name, ALL)).rejects.toMatchObject(refused);
      await expect(host.workspace.read(`${name}.more`, ALL)).rejects.toMatchObject(refused);
      expect((await host.workspace.read("same.txt", ALL)).size).toBe(7);
      const query = { path: ".", pattern: "needle", context: 0, limit: 10 };
      const { lines } = await host.workspace.search(query, NEVER);
      expect(lines.map(({ path }) => path)).toEqual(["open.txt", "same.txt"]);
    },
  );
});

describe("a directory that is swapped for a link to outside", () => {
  it("after it was held still is the one that was held", async () => {
    mkdirSync(join(host.dir, "a"));
    writeFileSync(join(host.outsideDir, "b.txt"), "outside");
    const held = await holdDirectory(host.dir, ["a"]);
    renameSync(join(host.dir, "a"), join(host.dir, "moved"));
    symlinkSync(host.outsideDir, join(host.dir, "a"));
    writeFileSync(held.at("new.txt"), "inside");
    await held.close();
    expect(readdirSync(join(host.dir, "moved"))).toEqual(["new.txt"]);
    expect(readdirSync(host.outsideDir)).toEqual(["b.txt"]);
  });

  it("before it is held is refused", async () => {
    symlinkSync(host.outsideDir, join(host.dir, "a"));
    await expect(holdDirectory(host.dir, ["a"])).rejects.toMatchObject({ code: "ENOTDIR" });
    await expect(holdDirectory(host.dir, ["a", "new"], true)).rejects.toMatchObject({ code: "ENOTDIR" });
    expect(readdirSync(host.outsideDir)).toEqual([]);
  });

  it("again and again while files are read and written gives nothing of outside and writes nothing there", async () => {
    const spot = join(host.dir, "spot");
    writeFileSync(join(host.outsideDir, "x.txt"), "outside");
    const swaps = { isOn: true };
    const swapping = (async () => {
      while (swaps.isOn) {
        replace(spot, () => mkdirSync(spot));
        writeFileSync(join(spot, "x.txt"), "inside");
        await new Promise(setImmediate);
        replace(spot, () => symlinkSync(host.outsideDir, spot));
        await new Promise(setImmediate);
      }
    })();
    const seen = new Set<string>();
    const tries = Array.from({ length: 150 }, async (_, index) => {
      const [read] = await Promise.allSettled([
        host.workspace.read("spot/x.txt", ALL),
        host.workspace.write(`spot/made-${index}.txt`, bytesOf("made")),
        host.workspace.delete("spot/x.txt"),
      ]);
      seen.add(read.status === "fulfilled" ? new TextDecoder().decode(read.value.bytes) : "refused");
    });
    await Promise.all(tries);
    swaps.isOn = false;
    await swapping;
    expect([...seen].filter((text) => text !== "inside" && text !== "refused")).toEqual([]);
    expect(readdirSync(host.outsideDir)).toEqual(["x.txt"]);
  });
});

describe("a link", () => {
  it("in the workspace is written through and stays a link", async () => {
    writeFileSync(join(host.dir, "target.txt"), "old");
    symlinkSync("target.txt", join(host.dir, "alias.txt"));
    await host.workspace.write("alias.txt", bytesOf("new"));
    expect(await readFile(join(host.dir, "target.txt"), "utf8")).toBe("new");
    expect(readdirSync(host.dir).sort()).toEqual(["alias.txt", "target.txt"]);
  });

  it("that is deleted goes itself, not its target", async () => {
    writeFileSync(join(host.dir, "target.txt"), "kept");
    symlinkSync("target.txt", join(host.dir, "alias.txt"));
    await host.workspace.delete("alias.txt");
    expect(readdirSync(host.dir)).toEqual(["target.txt"]);
  });

  it("to nothing is refused, and nothing is made where it leads", async () => {
    symlinkSync(join(host.outsideDir, "new.txt"), join(host.dir, "dangling.txt"));
    await expect(host.workspace.write("dangling.txt", bytesOf("x"))).rejects.toMatchObject({ code: "outside" });
    expect(readdirSync(host.outsideDir)).toEqual([]);
  });
});

describe("a write", () => {
  it("keeps a script executable, and leaves no temporary file", async () => {
    writeFileSync(join(host.dir, "run.sh"), "old");
    chmodSync(join(host.dir, "run.sh"), 0o755);
    await host.workspace.write("run.sh", bytesOf("new"));
    expect(readdirSync(join(host.stateDir, "writes"))).toEqual([]);
    expect(statSync(join(host.dir, "run.sh")).mode & 0o777).toBe(0o755);
    expect(readdirSync(host.dir)).toEqual(["run.sh"]);
  });

  it("is never readable by others where the file that it replaces is not", async () => {
    const name = join(host.dir, "journal.txt");
    writeFileSync(name, "old", { mode: 0o600 });
    const seen = new Set<number>();
    let isOver = false;
    const look = (): void => {
      for (const one of readdirSync(host.dir)) {
        if (one.startsWith(".tally-"))
          seen.add((statSync(join(host.dir, one), { throwIfNoEntry: false })?.mode ?? 0) & 0o777);
      }
      if (!isOver) setImmediate(look);
    };
    look();
    // Written in pieces, between which this process looks.
    await host.workspace.write("journal.txt", new Uint8Array(6_000_000));
    isOver = true;
    expect([...seen]).toEqual([0o600]);
    expect(statSync(name).mode & 0o777).toBe(0o600);
  });

  it("cannot name a temporary file, and no list shows one that a crash has left", async () => {
    const left = `.tally-${crypto.randomUUID()}.tmp`;
    writeFileSync(join(host.dir, left), "half");
    await expect(host.workspace.read(left, ALL)).rejects.toMatchObject({ code: "refused" });
    expect((await host.workspace.list({ path: ".", limit: 10 })).entries).toEqual([]);
  });
});

it("a temporary file that a killed start has left is removed by the next", async () => {
  const left = `.tally-${crypto.randomUUID()}.tmp`;
  mkdirSync(join(host.dir, "a"));
  writeFileSync(join(host.dir, "a", left), "half");
  writeFileSync(join(host.stateDir, "writes", left), '["a"]');
  writeFileSync(join(host.stateDir, "writes", "cut-off"), '["a');
  const next = await startWorkspaceServer(host.dir, host.stateDir);
  await next.close();
  expect(readdirSync(join(host.dir, "a"))).toEqual([]);
  expect(readdirSync(join(host.stateDir, "writes"))).toEqual([]);
});

it("one that may not be removed yet is left for a later start, and its directory is closed", async () => {
  const left = `.tally-${crypto.randomUUID()}.tmp`;
  const dir = join(host.dir, "a");
  // Not even root removes a directory like a file.
  mkdirSync(join(dir, left), { recursive: true });
  writeFileSync(join(host.stateDir, "writes", left), '["a"]');
  const next = await startWorkspaceServer(host.dir, host.stateDir);
  await next.close();
  expect(readdirSync(join(host.stateDir, "writes"))).toEqual([left]);
  // Linux alone lists what a process has open.
  const open = existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd") : [];
  expect(open.filter((fd) => linkOf(`/proc/self/fd/${fd}`) === dir)).toEqual([]);
});

describe("the state of the dev command", () => {
  it("is made again by a write where somebody has deleted it meanwhile", async () => {
    const [old, now] = [bytesOf("old"), bytesOf("new")];
    await host.workspace.write("notes.txt", old);
    rmSync(host.stateDir, { recursive: true });
    await host.workspace.write("notes.txt", now, { ifState: await contentState(old) });
    expect(await readFile(join(host.dir, "notes.txt"), "utf8")).toBe("new");
    expect(statSync(host.stateDir).mode & 0o777).toBe(0o700);
  });

  it("is made again by a command where somebody has deleted it meanwhile", async () => {
    rmSync(host.stateDir, { recursive: true });
    const command = { callId: crypto.randomUUID(), command: "echo ran", dir: ".", timeoutMs: 600_000 };
    const result = await host.workspace.run(command, () => undefined, NEVER);
    expect(result).toMatchObject({ exitCode: 0, stdout: "ran\n" });
    expect(statSync(host.stateDir).mode & 0o777).toBe(0o700);
  });

  it("is guarded when it is inside the workspace", async () => {
    const inside = await openHostWorkspace({ stateInDir: true });
    writeFileSync(join(inside.stateDir, "dev.env"), "KEY=secret");
    const read = inside.workspace.read("state/dev.env", ALL);
    await expect(read).rejects.toMatchObject({ code: "refused" });
    expect((await inside.workspace.list({ path: ".", limit: 10 })).entries).toEqual([]);
    await inside.close();
    expect(existsSync(inside.dir)).toBe(false);
  });
});

describe("a large workspace", () => {
  it("reads a piece of a 50 MB file by its offset", async () => {
    const { workspace, dir } = host;
    writeFileSync(join(dir, "large.bin"), Buffer.alloc(50_000_000, "x"));
    const { bytes, size } = await workspace.read("large.bin", { offset: 49_999_990, maxBytes: 100 });
    expect({ text: new TextDecoder().decode(bytes), size }).toEqual({ text: "x".repeat(10), size: 50_000_000 });
  });

  it("says of a text over 16 MB that it was not searched, and passes over a binary without a word", async () => {
    const { workspace, dir } = host;
    const query = { pattern: "xyz", context: 0, limit: 10 };
    writeFileSync(join(dir, "large.bin"), Buffer.alloc(17_000_000));
    expect(await workspace.search({ ...query, path: "." }, NEVER)).toEqual({ lines: [], isCut: false });
    writeFileSync(join(dir, "large.txt"), Buffer.alloc(17_000_000, "x"));
    expect(await workspace.search({ ...query, path: "." }, NEVER)).toEqual({
      lines: [],
      isCut: true,
      tooLarge: "large.txt",
    });
    await expect(workspace.search({ ...query, path: "large.txt" }, NEVER)).rejects.toMatchObject({ code: "too_large" });
  });

  it("says so too where a name that is not UTF-8 takes the place of that text in ripgrep's count", async () => {
    const { workspace, dir } = host;
    const names = Array.from({ length: 60 }, (_, place) => `${place}.txt`);
    for (const name of names) writeFileSync(join(dir, name), "small\n");
    writeFileSync(join(dir, "z.log"), Buffer.alloc(17_000_000, "xyz\n"));
    writeFileSync(Buffer.concat([Buffer.from(`${dir}/caf`), Buffer.of(0xe9), Buffer.from(".txt")]), "small\n");
    expect(await workspace.search({ pattern: "xyz", context: 0, limit: 10, path: "." }, NEVER)).toEqual({
      lines: [],
      isCut: true,
      tooLarge: "z.log",
    });
  });

  it("says what to do when the token is another, or the server is not known by that name", async () => {
    const { url, token } = host.server;
    const withToken = new HostWorkspace({ url, token: "another" }, nodeFetch);
    const byName = new HostWorkspace({ url: url.replace("127.0.0.1", "localhost"), token }, nodeFetch);
    await expect(withToken.stat(".")).rejects.toMatchObject({ code: "unavailable", message: UNREACHABLE.wrongToken });
    await expect(byName.stat(".")).rejects.toMatchObject({ code: "unavailable", message: UNREACHABLE.unknownHost });
  });

  it("says what is wrong when the directory itself is gone", async () => {
    rmSync(host.dir, { recursive: true });
    await expect(host.workspace.list({ path: ".", limit: 10 })).rejects.toMatchObject({ name: "WorkspaceError" });
  });

  it("is refused as gone when a server has stopped", async () => {
    await host.server.close();
    await expect(host.workspace.stat(".")).rejects.toMatchObject({ name: "WorkspaceError", code: "unavailable" });
  });
});
