/** Reads the list of a thread's runs (CONTRACT §2): oldest first, in pages, so the newest are on the last one. */
import type { ThreadRunView } from "../../contract/thread.ts";
import type { StreamEnvironment } from "./stream-environment.ts";

/** What the list is, or the status it was refused with; undefined where there was no answer at all. */
export type ThreadRunList =
  | {
      readonly type: "listed";
      readonly runs: readonly ThreadRunView[];
      /** Cursor of the last page: new runs are there, or behind it. */
      readonly lastCursor: string | undefined;
    }
  | { readonly type: "failed"; readonly status: number | undefined };

/** A page that takes longer has been swallowed by the network. */
const PAGE_TIMEOUT_MS = 20_000;

/** All runs from `cursor` on. A thread that has none yet is unknown to the server, and empty here. Never throws. */
export const readThreadRuns = async (
  threadId: string,
  cursor: string | undefined,
  { fetch }: Pick<StreamEnvironment, "fetch">,
  signal: AbortSignal,
): Promise<ThreadRunList> => {
  const path = `/_framework/threads/${encodeURIComponent(threadId)}/runs`;
  const runs: ThreadRunView[] = [];
  let lastCursor = cursor;
  for (;;) {
    const answer = await readPage(lastCursor === undefined ? path : `${path}?cursor=${lastCursor}`, fetch, signal);
    if (answer.status === 404) return { type: "listed", runs, lastCursor };
    if (answer.page === undefined) return { type: "failed", status: answer.status };
    runs.push(...answer.page.runs);
    if (answer.page.nextCursor === null) return { type: "listed", runs, lastCursor };
    lastCursor = answer.page.nextCursor;
  }
};

type Page = { readonly runs: readonly ThreadRunView[]; readonly nextCursor: string | null };

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
    status = answer.status;
    if (answer.ok) return { status, page: await answer.json() };
    await answer.body?.cancel();
  } catch {
    // Lost, or not JSON: the caller tries again.
  }
  return { status, page: undefined };
};
