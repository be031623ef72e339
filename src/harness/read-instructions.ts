/**
 * Reads a workspace's project instructions: `AGENTS.md` in its root or, where that is missing, empty or not text, `CLAUDE.md`
 * (https://agents.md). They come from whoever wrote the files, not from the person.
 */
import { sha256Hex } from "../contract/digest.ts";
import { log } from "../contract/log.ts";
import { type Workspace, WorkspaceError } from "../workspace/workspace.ts";
import { decodeText } from "./tools/found-file.ts";

/** Files to look for, in this order. */
const FILES = ["AGENTS.md", "CLAUDE.md"];

/** How much of the file is used, in UTF-8 bytes: some 8,000 tokens, which every turn of the thread carries. */
const MAX_BYTES = 32 * 1024;

/** How long a turn waits for the instructions, in ms, before it goes on without them. */
const MAX_WAIT_MS = 3_000;

/** A file of project instructions, as it is in the workspace. */
export type ProjectInstructions = {
  /** Relative to the workspace's root. */
  readonly path: string;
  readonly text: string;
  /** The file is longer than `text`. */
  readonly isCut: boolean;
};

/** Instructions, and the hash by which a session notices that they have changed. */
type FoundInstructions = ProjectInstructions & { readonly hash: string };

/** The instructions; `none` when there are none, `unknown` when the workspace cannot be read. */
export type ReadInstructions = () => Promise<FoundInstructions | "none" | "unknown">;

/** Reads them. Never rejects: a turn does not depend on them. */
export const readInstructions = async (open: () => Promise<Workspace>): ReturnType<ReadInstructions> => {
  const { promise: tooLate, resolve } = Promise.withResolvers<"unknown">();
  const timer = setTimeout(() => resolve("unknown"), MAX_WAIT_MS);
  try {
    return await Promise.race([findInstructions(open), tooLate]);
  } catch (error) {
    // An unreachable workspace is not a bug: its message is enough.
    log.warn("No project instructions.", { error: error instanceof WorkspaceError ? error.message : error });
    return "unknown";
  } finally {
    clearTimeout(timer);
  }
};

const findInstructions = async (open: () => Promise<Workspace>): Promise<FoundInstructions | "none"> => {
  const workspace = await open();
  const found = await Promise.all(FILES.map((path) => readFile(workspace, path)));
  return found.find((file) => file !== undefined) ?? "none";
};

const readFile = async (workspace: Workspace, path: string): Promise<FoundInstructions | undefined> => {
  try {
    const { bytes, size } = await workspace.read(path, { offset: 0, maxBytes: MAX_BYTES });
    const decoded = decodeText(bytes, bytes.byteLength < size);
    if ("not" in decoded || decoded.text.trim() === "") return undefined;
    const hash = await sha256Hex(new TextEncoder().encode(JSON.stringify([path, size, decoded.text])));
    return { path, text: decoded.text, isCut: bytes.byteLength < size, hash };
  } catch (error) {
    // Missing, a directory, or a link out of the root: the same as having none.
    if (error instanceof WorkspaceError && error.code !== "unavailable") return undefined;
    throw error;
  }
};
