/** Reads which runs a thread has, the newest first: a schedule can start thousands in one chat. */
import { isRecord } from "../../../contract/parse-json.ts";
import type { ThreadRunView } from "../../../contract/thread.ts";
import { threadPath } from "../../api/thread-path.ts";
import type { StreamEnvironment } from "./stream-environment.ts";

/** The list, or the status it was refused with. That is undefined when there was no response, or none that can be read. */
type ThreadRunList =
  | {
      readonly type: "listed";
      /** Oldest first. */
      readonly runs: readonly ThreadRunView[];
      /** Cursor of the runs before them; null when there are none. */
      readonly older: string | null;
      /** The server has the thread. */
      readonly isKnown: boolean;
    }
  | { readonly type: "failed"; readonly status: number | undefined };

/** A page that takes longer counts as lost. */
const PAGE_TIMEOUT_MS = 20_000;

/** What to read: the runs before `cursor`, or the newest, back to the page with the run `until`. Without `until`, one page. */
type Wanted = { readonly cursor?: string | undefined; readonly until?: string | undefined };

/** Reads runs of a thread (api.md §2). A thread without runs is unknown to the server, and gives an empty list. Never throws. */
export const readThreadRuns = async (
  threadId: string,
  { cursor, until }: Wanted,
  { fetch }: Pick<StreamEnvironment, "fetch">,
  signal: AbortSignal,
): Promise<ThreadRunList> => {
  const newest = `${threadPath(threadId)}/runs?order=newest`;
  const runs: ThreadRunView[] = [];
  let before = cursor;
  for (;;) {
    const { status, page } = await readPage(
      before === undefined ? newest : `${newest}&cursor=${before}`,
      fetch,
      signal,
    );
    if (status === 404) return { type: "listed", runs: [], older: null, isKnown: false };
    if (page === undefined) return { type: "failed", status };
    runs.push(...page.runs);
    const older = page.nextCursor;
    if (older === null || until === undefined || page.runs.some(({ runId }) => runId === until))
      return { type: "listed", runs: runs.reverse(), older, isKnown: true };
    before = older;
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
