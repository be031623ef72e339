/** The durable workspace as its callers see it: a thin client of the owner's `WorkspaceObject`. */
import type { OwnerEmail } from "../contract/ids.ts";
import { within } from "../contract/within.ts";
import { type Answer, unwrapAnswer } from "./answer.ts";
import { checkedPath } from "./durable-files.ts";
import { MAX_COMMAND_MS } from "./host-wire.ts";
import { refuseLarge } from "./store-file.ts";
import { type CommandResult, type FileList, type SearchResult, type Workspace, WorkspaceError } from "./workspace.ts";
import type { WorkspaceObject } from "./workspace-object.ts";

/** Longest a call to the object may take, in ms: one that has to wait for a long listing or search takes a few seconds. */
const CALL_LIMIT_MS = 30_000;

/** Longest a list or a search of a large workspace may. */
const SEARCH_LIMIT_MS = 60_000;

/** Longest a command may, which has its own time-out; the rest is for loading the shell. */
const COMMAND_MARGIN_MS = 30_000;

/** The same for a command of which only its id is known. */
const FIND_LIMIT_MS = MAX_COMMAND_MS + COMMAND_MARGIN_MS;

const NOTHING_LISTED: FileList = { entries: [], isCut: true };

/** For lists that nobody can end; the object ends each after its time. */
const NEVER = new AbortController().signal;

const NOTHING_FOUND: SearchResult = { lines: [], isCut: true };

const NEVER_RAN: CommandResult = { end: "aborted", exitCode: null, stdout: "", stderr: "", isCut: false };

/**
 * The workspace of one owner; its object is named by a hash, so that no address stands in a name. `root` is a directory
 * in it, which no path leaves; a leading slash is dropped.
 */
export const openDurableWorkspace = async (
  workspaces: DurableObjectNamespace<WorkspaceObject>,
  owner: OwnerEmail,
  root = ".",
): Promise<Workspace> => {
  const name = await hashOf(owner);
  // A stub is spent once its object broke, so each call takes a new one.
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
      if (signal.aborted) return NEVER_RAN;
      const stub = object();
      const result = await passingAbort(
        signal,
        () => stub.abort(command.callId),
        () => stub.run(root, command),
        command.timeoutMs + COMMAND_MARGIN_MS,
      );
      // The shell gives its output when it has ended.
      if (result.stdout !== "") onOutput("stdout", result.stdout);
      if (result.stderr !== "") onOutput("stderr", result.stderr);
      return result;
    },
    // Leaving a wait ends nothing.
    find: (callId, signal) => reach(() => object().find(callId), FIND_LIMIT_MS, signal),
    stop: (callId, signal) => reach(() => object().stop(callId), CALL_LIMIT_MS, signal),
  };
};

/** The object itself, for what is done to a workspace as a whole. */
export const workspaceObjectOf = async (
  workspaces: DurableObjectNamespace<WorkspaceObject>,
  owner: OwnerEmail,
): Promise<DurableObjectStub<WorkspaceObject>> => workspaces.getByName(await hashOf(owner));

/** @throws {WorkspaceError} the object's refusal, or `unavailable` when it could not be reached, broke or said nothing. */
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
 * Passes an abort on, since a call to an object cannot take the signal along. Both go through one stub: that keeps their
 * order, so the abort finds what it is to end.
 */
const passingAbort = async <Value>(
  signal: AbortSignal,
  abort: () => Promise<void>,
  call: () => Promise<Answer<Value>>,
  limitMs: number,
): Promise<Value> => {
  const pass = () => {
    // An object that cannot be reached for the abort fails the call as well, which says so.
    abort().catch(() => undefined);
  };
  signal.addEventListener("abort", pass, { once: true });
  try {
    return await reach(call, limitMs);
  } finally {
    signal.removeEventListener("abort", pass);
  }
};

const hashOf = async (owner: OwnerEmail): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(owner));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
};
