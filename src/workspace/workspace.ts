/**
 * The directory the agent works in. Two implementations fill it: a real directory behind a small server, and durable
 * storage. Paths are relative to the root, with `/`, and already checked by `resolve-path.ts`; `.` is the root.
 */

/** Where the agent reads, writes and runs commands. Every method rejects with `WorkspaceError` alone. */
export type Workspace = {
  /** What is at a path, or undefined. Links are not followed out of the root. */
  stat(path: string): Promise<FileStat | undefined>;
  /**
   * The path by which an entry is reached without links, below the root; of what does not exist, the one it would have.
   * It is what permissions are asked for: a name may be a link to another file.
   */
  realPath(path: string): Promise<string>;
  /** A file's bytes from `offset`, at most `maxBytes`; `size` is the whole file's. */
  read(path: string, range: { readonly offset: number; readonly maxBytes: number }): Promise<FileBytes>;
  /** Creates or replaces a file, with its parent directories. Atomic: nobody sees half of it. */
  write(path: string, bytes: Uint8Array, condition?: ChangeCondition): Promise<void>;
  /** Deletes a file. Rejects with `not_found` when there is none. */
  delete(path: string, condition?: ChangeCondition): Promise<void>;
  /** Files below a directory in the order of their paths, without `.git` and what `.gitignore` names. */
  list(query: ListQuery, signal?: AbortSignal): Promise<FileList>;
  /** Lines that match a regular expression, in the order of path and line. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>;
  /** Runs a shell command. An id that was seen before is refused: nothing runs twice. */
  run(command: Command, onOutput: OnOutput, signal: AbortSignal): Promise<CommandResult>;
  /** What became of a command, kept for 1 h; undefined when its id is not known. Waits while it still runs. */
  find(callId: string, signal: AbortSignal): Promise<CommandResult | undefined>;
  /**
   * Ends a command, whoever started it, and waits for its end as `find` does: TERM, KILL after 2 s. One that is not known
   * will not run any more.
   */
  stop(callId: string, signal: AbortSignal): Promise<CommandResult | undefined>;
};

/**
 * What has to be at a path for it to be changed; checked together with the change, so that no other change through this
 * workspace comes between. Else the change is refused as `changed`, and so it is when a link has come into the path, which
 * has to be a real one.
 */
export type ChangeCondition = {
  /** In the words of `file-state.ts`, such as `absent` or the hash of the content. */
  readonly ifState: string;
};

export type FileStat = { readonly type: "file" | "directory"; readonly size: number; readonly modifiedAtMs: number };

export type FileBytes = { readonly bytes: Uint8Array; readonly size: number };

/** `glob` as in `.gitignore` without negation, such as `src/**` or `*.ts`; matched below `path`. */
export type ListQuery = { readonly path: string; readonly glob?: string; readonly limit: number };

export type FileList = {
  readonly entries: readonly { readonly path: string; readonly type: "file" | "directory"; readonly size: number }[];
  /** There was more than `limit`. */
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
};

/** `dir` is relative to the root. `callId` is the same on every try of one call. */
export type Command = {
  readonly callId: string;
  readonly command: string;
  readonly dir: string;
  readonly timeoutMs: number;
};

export type OnOutput = (stream: "stdout" | "stderr", text: string) => void;

/** How a command ended. Output beyond 1 MB is left out in its middle. */
export type CommandResult = {
  readonly end: "exited" | "timed_out" | "aborted";
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly isCut: boolean;
};

/** Why a workspace refused. */
export type WorkspaceErrorCode =
  /** Nothing is at that path. */
  | "not_found"
  /** It is not of the kind the call needs: a directory, a device, a FIFO. */
  | "wrong_type"
  /** It is outside the root, or reached through a link that leaves it. */
  | "outside"
  /** It is one of the guarded files, or the system refuses it. */
  | "refused"
  /** It is larger than a limit. */
  | "too_large"
  /** The input makes no sense: a name with NUL, a broken pattern. */
  | "invalid"
  /** What is at that path is not what the condition of a change says. Nothing was changed. */
  | "changed"
  /** A command with this id has run before. */
  | "repeated"
  /** The workspace cannot be reached. */
  | "unavailable";

/** A refusal in words that the model can act on: they name the path and the remedy. */
export class WorkspaceError extends Error {
  readonly code: WorkspaceErrorCode;

  constructor(code: WorkspaceErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "WorkspaceError";
    this.code = code;
  }
}
