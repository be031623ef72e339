/** The log: one line of JSON for each event an operator may want to know about (decision 0051). */
import { errorText } from "./app-error.ts";

/** What a line may contain: ids, counts and names that we chose. Never an address, an e-mail, or anything a person wrote. */
export type LogFields = {
  readonly requestId?: string | undefined;
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** `ownerHash` of the owner's e-mail. */
  readonly owner?: string | undefined;
  /** Logged as text, without the values that a failed query was bound to. */
  readonly error?: unknown;
  readonly [name: string]: unknown;
};

const line = (level: string, message: string, { error, ...fields }: LogFields): string =>
  JSON.stringify({ level, message, ...fields, ...(error === undefined ? {} : { error: errorText(error) }) });

/** Fields that are undefined are left out. */
export const log = {
  info: (message: string, fields: LogFields = {}): void => console.log(line("info", message, fields)),
  warn: (message: string, fields: LogFields = {}): void => console.warn(line("warn", message, fields)),
  error: (message: string, fields: LogFields = {}): void => console.error(line("error", message, fields)),
};
