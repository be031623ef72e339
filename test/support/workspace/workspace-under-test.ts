/** What the conformance suite needs of an implementation, and the few things its cases say again and again. */
import { expect } from "vitest";
import {
  type Command,
  type CommandResult,
  MAX_COMMAND_MS,
  type Workspace,
  WorkspaceError,
  type WorkspaceErrorCode,
} from "../../../src/workspace/workspace.ts";

/** An empty workspace that nobody else has. */
type WorkspaceUnderTest = {
  readonly workspace: Workspace;
  /** The largest file that `write` takes. */
  readonly maxWriteBytes: number;
};

/** Makes what the interface cannot, in the way of the implementation. Paths are relative to the root. */
export type Plant = {
  /** A symbolic link; a target that starts with `/` is absolute. */
  link(path: string, target: string): Promise<void>;
  /** A named pipe: opening it for reading hangs. */
  fifo(path: string): Promise<void>;
  /** A file outside the root; returns its absolute path. */
  outsideFile(text: string): Promise<string>;
  /** A file whose name is the byte 0xff and `.txt`, below a directory. */
  nonUtf8Name(directory: string): Promise<void>;
};

export type Open = () => Promise<WorkspaceUnderTest>;
export type OpenPlanted = () => Promise<WorkspaceUnderTest & { readonly plant: Plant }>;

export const NEVER = new AbortController().signal;

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const write = (workspace: Workspace, path: string, text: string): Promise<void> =>
  workspace.write(path, bytesOf(text));

/** Writes each of `files`, path to text. */
export const writeAll = async (workspace: Workspace, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) await write(workspace, path, text);
};

const ALL = { offset: 0, maxBytes: 16 * 1_024 * 1_024 };

export const readBytes = async (workspace: Workspace, path: string): Promise<Uint8Array> =>
  (await workspace.read(path, ALL)).bytes;

export const readText = async (workspace: Workspace, path: string): Promise<string> =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readBytes(workspace, path));

/** Paths of the listed files. */
export const listed = async (workspace: Workspace, query: { path?: string; glob?: string } = {}): Promise<string[]> => {
  const { entries } = await workspace.list({ path: ".", limit: 1_000, ...query });
  return entries.filter(({ type }) => type === "file").map(({ path }) => path);
};

/** Found lines as `path:line:text`, with `-` for `:` where it is context: ripgrep's own way. */
export const searched = async (
  workspace: Workspace,
  pattern: string,
  query: { path?: string; glob?: string; context?: number; limit?: number } = {},
): Promise<string[]> => {
  const { lines } = await workspace.search({ path: ".", context: 0, limit: 100, ...query, pattern }, NEVER);
  return lines.map(({ path, line, text, isMatch }) => [path, line, text].join(isMatch ? ":" : "-"));
};

/** A command without a condition, with an id of its own. */
export const commandOf = (command: string, more: Partial<Command> = {}): Command => ({
  callId: crypto.randomUUID(),
  dir: ".",
  // Only tests of the limit give another one.
  timeoutMs: MAX_COMMAND_MS,
  ...more,
  command,
});

export const run = (workspace: Workspace, command: string, more: Partial<Command> = {}): Promise<CommandResult> =>
  workspace.run(commandOf(command, more), () => undefined, NEVER);

/** Expects a refusal with that code whose message names the path, or whatever else is given. */
export const expectRefusal = async (
  call: Promise<unknown>,
  code: WorkspaceErrorCode,
  named: string | RegExp,
): Promise<void> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(WorkspaceError);
  expect(error).toMatchObject({ code, message: expect.stringMatching(named) });
};
