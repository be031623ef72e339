/** Project instructions as they are found in a workspace; a turn never fails and never waits long for them. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readInstructions } from "../../../src/harness/read-instructions.ts";
import { type Workspace, WorkspaceError } from "../../../src/workspace/workspace.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";

const MAX_BYTES = 32 * 1024;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

type File = string | Uint8Array | WorkspaceError | Promise<never>;

/** A workspace that can only be read, and has these files in its root. */
const workspaceOf = (files: Readonly<Record<string, File>>): (() => Promise<Workspace>) => {
  const read: Workspace["read"] = async (path, { offset, maxBytes }) => {
    const file = files[path] ?? new WorkspaceError("not_found", "There is no such file.");
    if (file instanceof WorkspaceError) throw file;
    const bytes = typeof file === "string" ? encode(file) : await file;
    return { bytes: bytes.slice(offset, offset + maxBytes), size: bytes.byteLength };
  };
  const refuse = () => Promise.reject(new WorkspaceError("refused", "Only reading is asked for."));
  const others = { stat: refuse, realPath: refuse, write: refuse, delete: refuse, list: refuse, search: refuse };
  return async () => ({ ...others, run: refuse, find: refuse, stop: refuse, read });
};

const found = (path: string, text: string, isCut = false) => ({ path, text, isCut, hash: expect.any(String) });

/** What the reading comes to when nobody answers for as long as it is waited for. */
const withoutAnswer = async (reading: () => ReturnType<typeof readInstructions>) => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const outcome = reading();
  await vi.advanceTimersByTimeAsync(3_000);
  return await outcome;
};

describe("the instructions of a workspace", () => {
  it("are AGENTS.md", async () => {
    expect(await readInstructions(workspaceOf({ "AGENTS.md": "Be brief.\n" }))).toEqual(
      found("AGENTS.md", "Be brief.\n"),
    );
  });

  it("are AGENTS.md also where there is a CLAUDE.md", async () => {
    const files = { "CLAUDE.md": "Be long.", "AGENTS.md": "Be brief." };
    expect(await readInstructions(workspaceOf(files))).toEqual(found("AGENTS.md", "Be brief."));
  });

  it("are CLAUDE.md when there is no other", async () => {
    expect(await readInstructions(workspaceOf({ "CLAUDE.md": "Be long." }))).toEqual(found("CLAUDE.md", "Be long."));
  });

  it.each<[string, File]>([
    ["is empty", ""],
    ["is blank", " \n\t"],
    ["is binary", Uint8Array.of(66, 0, 67)],
    ["is not UTF-8", Uint8Array.of(66, 255, 67)],
    ["is a directory", new WorkspaceError("wrong_type", "It is a directory.")],
    ["is a link out of the root", new WorkspaceError("outside", "It is outside.")],
    ["may not be read", new WorkspaceError("refused", "It is guarded.")],
  ])("are not a file that %s", async (_, file) => {
    expect(await readInstructions(workspaceOf({ "AGENTS.md": file }))).toBe("none");
    expect(await readInstructions(workspaceOf({ "AGENTS.md": file, "CLAUDE.md": "Be long." }))).toEqual(
      found("CLAUDE.md", "Be long."),
    );
  });

  it("are none when there is no file", async () => {
    expect(await readInstructions(workspaceOf({}))).toBe("none");
  });

  it("are whole up to 32 KB", async () => {
    const text = "x".repeat(MAX_BYTES);
    expect(await readInstructions(workspaceOf({ "AGENTS.md": text }))).toEqual(found("AGENTS.md", text));
  });

  it("are cut after that, and never inside a character", async () => {
    const text = `${"x".repeat(MAX_BYTES - 1)}漢字`;
    expect(await readInstructions(workspaceOf({ "AGENTS.md": text }))).toEqual(
      found("AGENTS.md", "x".repeat(MAX_BYTES - 1), true),
    );
  });
});

describe("the hash of instructions", () => {
  const hashOf = async (files: Readonly<Record<string, File>>) => {
    const result = await readInstructions(workspaceOf(files));
    return typeof result === "string" ? result : result.hash;
  };
  const long = "x".repeat(MAX_BYTES);

  it("is the same as long as they are", async () => {
    expect(await hashOf({ "AGENTS.md": "Be brief." })).toBe(await hashOf({ "AGENTS.md": "Be brief." }));
  });

  it.each<[string, Record<string, File>, Record<string, File>]>([
    ["their text", { "AGENTS.md": "a" }, { "AGENTS.md": "b" }],
    ["their file", { "AGENTS.md": "a" }, { "CLAUDE.md": "a" }],
    ["what is behind the cut", { "AGENTS.md": `${long}a` }, { "AGENTS.md": `${long}ab` }],
  ])("changes with %s", async (_, before, after) => {
    expect(await hashOf(before)).not.toBe(await hashOf(after));
  });
});

describe("a workspace", () => {
  it.each<[string, () => Promise<Workspace>]>([
    ["cannot be opened", () => Promise.reject(new Error("No such machine."))],
    ["cannot be reached", workspaceOf({ "AGENTS.md": new WorkspaceError("unavailable", "It is away.") })],
    [
      "cannot be reached for one of the files",
      workspaceOf({ "AGENTS.md": "a", "CLAUDE.md": new WorkspaceError("unavailable", "It is away.") }),
    ],
  ])("that %s does not say, and the log has it", async (_, open) => {
    const log = captureLog();
    expect(await readInstructions(open)).toBe("unknown");
    expect(log.lines({ level: "warn", message: "No project instructions." })).toHaveLength(1);
  });

  it.each<[string, () => Promise<Workspace>]>([
    ["opening", () => new Promise(() => undefined)],
    ["reading", workspaceOf({ "AGENTS.md": new Promise(() => undefined) })],
  ])("that hangs in %s is waited for three seconds", async (_, open) => {
    expect(await withoutAnswer(() => readInstructions(open))).toBe("unknown");
  });

  it("that fails after that fails nobody", async () => {
    const { promise, reject } = Promise.withResolvers<Workspace>();
    expect(await withoutAnswer(() => readInstructions(() => promise))).toBe("unknown");
    reject(new Error("Too late."));
    await expect(promise).rejects.toThrow("Too late.");
  });
});
