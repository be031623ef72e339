/**
 * Reads a workspace's project instructions: `AGENTS.md` in its root, else `CLAUDE.md` (https://agents.md). They are the
 * workspace's words, written by whoever wrote the files.
 */
import { errorText } from "../contract/error-text.ts";
import { sha256Hex } from "../contract/sha256.ts";
import { type Workspace, WorkspaceError } from "../workspace/workspace.ts";
import { decodeText } from "./tools/decode-text.ts";
import type { ProjectInstructions } from "./turn-context.ts";

/** Files that are looked for, in this order. */
const FILES = ["AGENTS.md", "CLAUDE.md"];

/** Most of a file that is given, in UTF-8 bytes: some 8,000 tokens, which every turn of the thread carries. */
const MAX_BYTES = 32 * 1024;

/** Longest a turn waits for them, in ms: it goes on without. */
const MAX_WAIT_MS = 3_000;

/** Instructions and the hash by which a session knows whether they have changed. */
type FoundInstructions = ProjectInstructions & { readonly hash: string };

/** The instructions; `none` when there are none, `unknown` when the workspace does not say. */
export type ReadInstructions = () => Promise<FoundInstructions | "none" | "unknown">;

/** Reads them. Never rejects: a turn does not depend on them. */
export const readInstructions = async (open: () => Promise<Workspace>): ReturnType<ReadInstructions> => {
  const { promise: tooLate, resolve } = Promise.withResolvers<"unknown">();
  const timer = setTimeout(() => resolve("unknown"), MAX_WAIT_MS);
  try {
    return await Promise.race([findInstructions(open), tooLate]);
  } catch (error) {
    // A workspace that is out of reach is no bug: its words are enough.
    const why = error instanceof WorkspaceError ? error.message : errorText(error);
    console.warn(JSON.stringify({ level: "warn", message: "No project instructions.", error: why }));
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
    // Not there, a directory, or a link out of the root: as good as none.
    if (error instanceof WorkspaceError && error.code !== "unavailable") return undefined;
    throw error;
  }
};
