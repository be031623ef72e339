/** The durable workspace as its callers see it: a thin client of the owner's `WorkspaceObject`. */
import { sha256Hex } from "../../contract/digest.ts";
import type { OwnerEmail, RunId } from "../../contract/ids.ts";
import { within } from "../../contract/within.ts";
import { type Answer, unwrapAnswer } from "../answer.ts";
import {
  type FileList,
  MAX_COMMAND_MS,
  NOTHING_RAN,
  type SearchResult,
  type Workspace,
  WorkspaceError,
} from "../workspace.ts";
import { checkedPath } from "./durable-files.ts";
import { refuseLarge } from "./store-file.ts";
import type { WorkspaceObject } from "./workspace-object.ts";

/** Longest time for a call to the object, in ms: one that has to wait for a long list or search takes a few seconds. */
const CALL_LIMIT_MS = 30_000;

/** The same for a list or a search of a large workspace. */
const SEARCH_LIMIT_MS = 60_000;

/** Added to a command's own time-out, for loading the shell. */
const COMMAND_MARGIN_MS = 30_000;

/** The same for a command of which only the id is known. */
const FIND_LIMIT_MS = MAX_COMMAND_MS + COMMAND_MARGIN_MS;

const NOTHING_LISTED: FileList = { entries: [], isCut: true };

/** For lists that nobody can abort; the object limits the time of each. */
const NEVER = new AbortController().signal;

const NOTHING_FOUND: SearchResult = { lines: [], isCut: true };

/**
 * The workspace of one owner. Its object is named by a hash, so that no e-mail address is part of a name. `root` is a directory in
 * it that no path leaves; a leading slash is dropped.
 */
export const openDurableWorkspace = async (
  workspaces: DurableObjectNamespace<WorkspaceObject>,
  owner: OwnerEmail,
  root = ".",
): Promise<Workspace> => {
  const name = await sha256Hex(owner);
  // A stub is unusable once its object has broken, so each call gets a new one.
  const object = () => workspaces.getByName(name);
  return {
    stat: (path) => reach(() => object().stat(root, path)),
    // There are no links.
    realPath: async (path) => checkedPath(path),
    read: (path, range) => reach(() => object().read(root, path, range)),
    write: async (path, bytes, condition) => {
      // The object refuses it too, but a call of more than 32 MB would not reach it.
      refuseLarge(path, bytes.byteLength);
      return reach(() => object().write(root, path, bytes, condition));
    },
    delete: (path, condition) => reach(() => object().delete(root, path, condition)),
    list: async (query, signal = NEVER) => {
      if (signal.aborted) return NOTHING_LISTED;
      const callId = crypto.randomUUID();
      const stub = object();
      return passingAbort(
        signal,
        () => stub.abort(callId),
        () => stub.list(root, callId, query),
        SEARCH_LIMIT_MS,
      );
    },
    search: async (query, signal) => {
      if (signal.aborted) return NOTHING_FOUND;
      const callId = crypto.randomUUID();
      const stub = object();
      return passingAbort(
        signal,
        () => stub.abort(callId),
        () => stub.search(root, callId, query),
        SEARCH_LIMIT_MS,
      );
    },
    run: async (command, onOutput, signal) => {
      if (signal.aborted) return NOTHING_RAN;
      const stub = object();
      const result = await passingAbort(
        signal,
        () => stub.abort(command.callId),
        () => stub.run(root, command),
        command.timeoutMs + COMMAND_MARGIN_MS,
      );
      // The shell returns its output only at the end.
      if (result.stdout !== "") onOutput("stdout", result.stdout);
      if (result.stderr !== "") onOutput("stderr", result.stderr);
      return result;
    },
    // A caller that stops waiting does not stop the command.
    find: (callId, signal) => reach(() => object().find(callId), FIND_LIMIT_MS, signal),
    stop: (callId, signal) => reach(() => object().stop(callId), CALL_LIMIT_MS, signal),
  };
};

/** Files as they were before one run changed them. Every method throws `WorkspaceError` when the object cannot be reached. */
export type KeptFiles = {
  /** Keeps a file, and replaces an earlier version of it that was kept. */
  keep(path: string, bytes: Uint8Array): Promise<void>;
  /** The paths of the files that are still kept. */
  paths(): Promise<readonly string[]>;
  content(path: string): Promise<Uint8Array | undefined>;
};

/** The files kept for a run, in its owner's object, wherever the workspace itself is. */
export const keptFilesOf = (
  workspaces: DurableObjectNamespace<WorkspaceObject>,
  { ownerEmail, runId }: { readonly ownerEmail: OwnerEmail; readonly runId: RunId },
): KeptFiles => {
  const object = () => workspaceObjectOf(workspaces, ownerEmail);
  return {
    keep: (path, bytes) => reach(async () => await (await object()).keep(runId, path, bytes)),
    paths: () => reach(async () => await (await object()).keptPaths(runId)),
    content: (path) => reach(async () => await (await object()).keptContent(runId, path)),
  };
};

/** The object itself, for operations on a workspace as a whole. */
export const workspaceObjectOf = async (
  workspaces: DurableObjectNamespace<WorkspaceObject>,
  owner: OwnerEmail,
): Promise<DurableObjectStub<WorkspaceObject>> => workspaces.getByName(await sha256Hex(owner));

/** @throws {WorkspaceError} the object's refusal, or `unavailable` when it could not be reached, broke or did not answer. */
const reach = async <Value>(
  call: () => Promise<Answer<Value>>,
  limitMs = CALL_LIMIT_MS,
  signal?: AbortSignal,
): Promise<Value> => {
  const answered = await within(limitMs, call, signal).catch((error: unknown) => {
    throw new WorkspaceError("unavailable", "The workspace cannot be reached. Try again.", { cause: error });
  });
  return unwrapAnswer(answered);
};

/**
 * Passes an abort on as a separate call, since a call to an object cannot carry the signal. Both use the same stub, which keeps
 * their order, so that the abort finds what it should stop.
 */
const passingAbort = async <Value>(
  signal: AbortSignal,
  abort: () => Promise<void>,
  call: () => Promise<Answer<Value>>,
  limitMs: number,
): Promise<Value> => {
  const pass = () => {
    // If the object cannot be reached for the abort, the call itself fails too and reports it.
    abort().catch(() => undefined);
  };
  signal.addEventListener("abort", pass, { once: true });
  try {
    return await reach(call, limitMs);
  } finally {
    signal.removeEventListener("abort", pass);
  }
};
