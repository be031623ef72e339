/** Reads which runs a thread has. */
import { isRecord } from "../../../contract/parse-json.ts";
import type { ThreadRunView } from "../../../contract/thread.ts";
import { threadPath } from "../../api/thread-path.ts";
import type { StreamEnvironment } from "./stream-environment.ts";

/** The list, or the status it was refused with. That is undefined when there was no response, or none that can be read. */
type ThreadRunList =
  | {
      readonly type: "listed";
      readonly runs: readonly ThreadRunView[];
      /** Cursor of the last page: new runs are on it or after it. */
      readonly lastCursor: string | undefined;
      /** The server has the thread. */
      readonly isKnown: boolean;
    }
  | { readonly type: "failed"; readonly status: number | undefined };

/** A page that takes longer counts as lost. */
const PAGE_TIMEOUT_MS = 20_000;

/**
 * Reads a thread's runs from `cursor` on (api.md §2): oldest first, in pages, so the newest are on the last one. A thread
 * without runs is unknown to the server, and gives an empty list. Never throws.
 */
export const readThreadRuns = async (
  threadId: string,
  cursor: string | undefined,
  { fetch }: Pick<StreamEnvironment, "fetch">,
  signal: AbortSignal,
): Promise<ThreadRunList> => {
  const path = `${threadPath(threadId)}/runs`;
  const runs: ThreadRunView[] = [];
  let lastCursor = cursor;
  for (;;) {
    const answer = await readPage(lastCursor === undefined ? path : `${path}?cursor=${lastCursor}`, fetch, signal);
    if (answer.status === 404) return { type: "listed", runs, lastCursor, isKnown: false };
    if (answer.page === undefined) return { type: "failed", status: answer.status };
    runs.push(...answer.page.runs);
    if (answer.page.nextCursor === null) return { type: "listed", runs, lastCursor, isKnown: true };
    lastCursor = answer.page.nextCursor;
  }
};

type Page = { readonly runs: readonly ThreadRunView[]; readonly nextCursor: string | null };

const isPage = (value: unknown): value is Page => isRecord(value) && Array.isArray(value.runs) && "nextCursor" in value;

/** `status` is set for a refusal only. A page that was cut, or that is not the server's, such as a hotel's, counts as no answer. */
const readPage = async (
  url: string,
  fetch: StreamEnvironment["fetch"],
  signal: AbortSignal,
): Promise<{ status: number | undefined; page: Page | undefined }> => {
  let status: number | undefined;
  try {
    const answer = await fetch(url, {
      headers: { Accept: "application/json" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(PAGE_TIMEOUT_MS)]),
    });
    if (answer.ok) {
      const page: unknown = await answer.json();
      return { status, page: isPage(page) ? page : undefined };
    }
    // A 404 that is not from our server says nothing about the thread.
    if (answer.status !== 404 || answer.headers.has("X-Request-Id")) status = answer.status;
    await answer.body?.cancel();
  } catch {
    // No response, or not JSON: the caller tries again.
  }
  return { status, page: undefined };
};
