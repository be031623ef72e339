/** The protocol between the Worker and the host's workspace server: JSON, except for the bytes of files. */
import * as z from "zod";
import { FILE_STATE } from "../file-state.ts";
import { MAX_COMMAND_MS } from "../workspace.ts";

/** Most bytes of one read or write: 16 MiB. Both ends hold them in memory. */
export const MAX_FILE_BYTES = 16 * 1_024 * 1_024;

/** Response header of a read: the whole file's size in bytes. The body is the requested bytes. */
export const SIZE_HEADER = "x-file-size";

const Count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const ListFields = { path: z.string(), glob: z.string().exactOptional(), limit: Count };

/** A `ChangeCondition`. */
const ConditionFields = { ifState: z.string().regex(FILE_STATE).exactOptional() };

/** The parameters of each call, by its name, which is the path of its URL. A write's body is the bytes, its query the rest. */
export const HostCall = {
  stat: z.object({ path: z.string() }),
  real: z.object({ path: z.string() }),
  read: z.object({ path: z.string(), offset: Count, maxBytes: Count.max(MAX_FILE_BYTES) }),
  write: z.object({ path: z.string(), ...ConditionFields }),
  delete: z.object({ path: z.string(), ...ConditionFields }),
  list: z.object(ListFields),
  search: z.object({ ...ListFields, pattern: z.string(), context: Count.max(100) }),
  run: z.object({
    callId: z.string().min(1).max(500),
    command: z.string(),
    dir: z.string(),
    timeoutMs: Count.max(MAX_COMMAND_MS),
    /** Whether the caller understands `alive` lines. Earlier releases do not, and their servers do not know this field. */
    keepAlive: z.boolean().exactOptional(),
  }),
  find: z.object({ callId: z.string() }),
  abort: z.object({ callId: z.string() }),
} as const;

const EntryType = z.enum(["file", "directory"]);

const CommandResult = z.object({
  end: z.enum(["exited", "timed_out", "aborted"]),
  exitCode: z.number().int().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  isCut: z.boolean(),
});

/** The answers with status 200. `write`, `delete` and `abort` answer `{}`. */
export const HostAnswer = {
  stat: z.object({ stat: z.object({ type: EntryType, size: Count, modifiedAtMs: z.number() }).nullable() }),
  real: z.object({ path: z.string() }),
  list: z.object({
    entries: z.array(z.object({ path: z.string(), type: EntryType, size: Count })),
    isCut: z.boolean(),
  }),
  search: z.object({
    lines: z.array(z.object({ path: z.string(), line: Count, text: z.string(), isMatch: z.boolean() })),
    isCut: z.boolean(),
    /** Earlier servers do not send this field. */
    tooLarge: z.string().exactOptional(),
  }),
  find: z.object({ result: CommandResult.nullable() }),
} as const;

/**
 * One line of a run's answer: outputs as they arrive, then one result, which is the last line. `alive` is sent every 10 s while the
 * command runs, so that no proxy considers the connection dead; an answer to `find` has empty lines before its JSON instead.
 */
export const RunLine = z.discriminatedUnion("type", [
  z.object({ type: z.literal("output"), stream: z.enum(["stdout", "stderr"]), text: z.string() }),
  z.object({ type: z.literal("alive") }),
  z.object({ type: z.literal("result"), result: CommandResult }),
]);
export type RunLine = z.infer<typeof RunLine>;

/** Every answer with another status than 200. */
export const HostRefusal = z.object({
  error: z.object({
    code: z.enum([
      "not_found",
      "wrong_type",
      "outside",
      "refused",
      "too_large",
      "invalid",
      "changed",
      "repeated",
      "unavailable",
    ]),
    message: z.string(),
  }),
});

/**
 * The version that a Worker and a workspace server tell each other with every call and answer. It is raised when an older end would
 * misunderstand a newer one; a new call or field alone does not raise it. 2: turns offer tools such as `ask_user`, and a host of protocol 1
 * refuses each turn for their names.
 */
export const PROTOCOL = 2;

/** Header of calls and answers. Releases before this header spoke protocol 1, so it may be missing. */
export const PROTOCOL_HEADER = "tally-protocol";

/** One line with the remedy when the other end (`who`) speaks another protocol; undefined when both agree. */
export const protocolProblem = (given: string | string[] | null | undefined, who: string): string | undefined => {
  const theirs = given ?? "1";
  if (theirs === String(PROTOCOL)) return undefined;
  return `Protocol ${PROTOCOL} is spoken here and ${theirs} by ${who}: they are from different releases. Update the older one (git pull && npm ci), then start it again.`;
};
