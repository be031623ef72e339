/**
 * The directory the agent works in. It has two implementations: a real directory behind a small server, and durable storage. Paths
 * are relative to the root, with `/`, and already checked by `resolve-path.ts`; `.` is the root.
 */

/** Longest time-out of a command, in ms. */
export const MAX_COMMAND_MS = 600_000;

/**
 * Longest list or search result, in UTF-16 units of its paths and lines: far more than is shown. A call to an object is limited to 32 MB,
 * and the object that reads a server's answer has 128 MB in all.
 */
export const MAX_RESULT_LENGTH = 1_000_000;

/** Where the agent reads, writes and runs commands. Every method rejects only with `WorkspaceError`. */
export type Workspace = {
  /** What is at a path, or undefined. Links are not followed out of the root. */
  stat(path: string): Promise<FileStat | undefined>;
  /**
   * The path by which an entry is reached without links, below the root; for an entry that does not exist, the path it would have.
   * Permissions are asked for this path, because a name may be a link to another file.
   */
  realPath(path: string): Promise<string>;
  /** A file's bytes from `offset`, at most `maxBytes`; `size` is the whole file's. */
  read(path: string, range: { readonly offset: number; readonly maxBytes: number }): Promise<FileBytes>;
  /** Creates or replaces a file, with its parent directories. Atomic: nobody sees half of it. */
  write(path: string, bytes: Uint8Array, condition?: ChangeCondition): Promise<void>;
  /** Deletes a file. Rejects with `not_found` when it does not exist. */
  delete(path: string, condition?: ChangeCondition): Promise<void>;
  /**
   * Files below a directory in walk order (`walk-tree.ts`), without `.git` and what `.gitignore` ignores, unless that is the directory
   * itself.
   */
  list(query: ListQuery, signal?: AbortSignal): Promise<FileList>;
  /** Lines that match a regular expression, file by file in walk order. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>;
  /** Runs a shell command. An id that was used before is refused: nothing runs twice. */
  run(command: Command, onOutput: OnOutput, signal: AbortSignal): Promise<CommandResult>;
  /** How a command ended, kept for 1 h; undefined when its id is unknown. Waits while it is still running. */
  find(callId: string, signal: AbortSignal): Promise<CommandResult | undefined>;
  /**
   * Stops a command, whoever started it, and waits for its end like `find`: TERM, KILL after 2 s. An unknown command will never
   * run.
   */
  stop(callId: string, signal: AbortSignal): Promise<CommandResult | undefined>;
};

/**
 * What must be at a path for it to be changed. It is checked together with the change, so that no other change through this
 * workspace comes between. If it does not hold, the change is refused as `changed`, and also if the path, which must be a real
 * one, now contains a link.
 */
export type ChangeCondition = {
  /** As named by `file-state.ts`, such as `absent` or the hash of the content. */
  readonly ifState: string;
};

export type FileStat = { readonly type: "file" | "directory"; readonly size: number; readonly modifiedAtMs: number };

export type FileBytes = { readonly bytes: Uint8Array; readonly size: number };

/** `glob` as in `.gitignore` without negation but with braces, such as `src/**` or `*.{ts,tsx}`; matched below `path`. */
export type ListQuery = { readonly path: string; readonly glob?: string; readonly limit: number };

export type FileList = {
  readonly entries: readonly { readonly path: string; readonly type: "file" | "directory"; readonly size: number }[];
  /** There were more files than `limit` or than may be returned, or the walk ended early. */
  readonly isCut: boolean;
};

/** `pattern` is a regular expression; `context` counts lines around each match. */
export type SearchQuery = ListQuery & { readonly pattern: string; readonly context: number };

export type SearchResult = {
  readonly lines: readonly {
    readonly path: string;
    /** From 1. */
    readonly line: number;
    readonly text: string;
    /** False for a line of context. */
    readonly isMatch: boolean;
  }[];
  readonly isCut: boolean;
  /** Path of the first file that was too large to be searched whole, when the result is cut for no other reason. */
  readonly tooLarge?: string;
};

/** `dir` is relative to the root. `callId` is the same on every try of one call. */
export type Command = {
  readonly callId: string;
  readonly command: string;
  readonly dir: string;
  readonly timeoutMs: number;
};

export type OnOutput = (stream: "stdout" | "stderr", text: string) => void;

/** How a command ended. Beyond 1 MB the middle of the output is left out; in durable storage each stream has its own 1 MB. */
export type CommandResult = {
  readonly end: "exited" | "timed_out" | "aborted";
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly isCut: boolean;
};

/** What became of a command that was stopped before it ran. */
export const NOTHING_RAN: CommandResult = { end: "aborted", exitCode: null, stdout: "", stderr: "", isCut: false };

/** Why a workspace refused a call. */
export type WorkspaceErrorCode =
  /** Nothing is at that path. */
  | "not_found"
  /** It is not of the kind that the call needs: a directory, a device, a FIFO. */
  | "wrong_type"
  /** It is outside the root, or reached through a link that leaves it. */
  | "outside"
  /** It is one of the guarded files, or the system refuses it, or too many commands or searches are running. */
  | "refused"
  /** It is larger than a limit. */
  | "too_large"
  /** The input is invalid: a name with NUL, a broken pattern. */
  | "invalid"
  /** What is at that path does not meet the condition of the change. Nothing was changed. */
  | "changed"
  /** A command with this id has run before. */
  | "repeated"
  /** The workspace cannot be reached. */
  | "unavailable";

/** A refusal whose message the model can act on: it names the path and what to do. */
export class WorkspaceError extends Error {
  readonly code: WorkspaceErrorCode;

  constructor(code: WorkspaceErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "WorkspaceError";
    this.code = code;
  }
}
