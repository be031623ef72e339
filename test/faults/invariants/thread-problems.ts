/** What is wrong with a thread whose turns have all ended: its lists, its order, and what the model is sent next. */
import { z } from "zod";
import type { Plan } from "../scenarios/scenario.ts";
import type { PlayedThread, RecordedTurn } from "../world/play-thread.ts";
import { keysIn, type Play, userText } from "../world/playing-model.ts";
import type { Received } from "../world/recording.ts";
import type { Site } from "../world/site.ts";
import { wasUnreachable } from "./run-problems.ts";

const Runs = z.object({ runs: z.array(z.object({ runId: z.string(), status: z.string() })) });
const Threads = z.object({
  threads: z.array(z.object({ threadId: z.string(), activeRunId: z.string().nullable() })),
  nextCursor: z.string().nullable(),
});

/** Problems of one thread. `next` is the play of a turn that came after all of its own, on the same thread. */
export const threadProblems = async (thread: PlayedThread, next: Play | undefined, site: Site): Promise<string[]> => {
  const { plan, threadId, turns } = thread;
  const problems =
    plan.isDeleted === true
      ? await deletedProblems(threadId, site)
      : [
          ...(await listProblems(thread, site)),
          ...(plan.clockJumps === true ? [] : orderProblems(turns)),
          ...(next === undefined || plan.mayBeForgotten === true ? [] : conversationProblems(plan, turns, next)),
        ];
  const asked = [...turns.map(({ play }) => play), ...(next === undefined ? [] : [next])].flatMap(
    (play) => play.problems,
  );
  return [...problems, ...asked].map((problem) => `${plan.name}, ${threadId}: ${problem}`);
};

const pathOf = (threadId: string) => `/_framework/threads/${encodeURIComponent(threadId)}`;

const findThread = async (threadId: string, site: Site) => {
  for (let cursor = ""; ; ) {
    const page = await site.read(Threads, `/_framework/threads?cursor=${encodeURIComponent(cursor)}`);
    const found = page.threads.find((thread) => thread.threadId === threadId);
    if (found !== undefined || page.nextCursor === null) return found;
    cursor = page.nextCursor;
  }
};

const deletedProblems = async (threadId: string, site: Site): Promise<string[]> => {
  const { status } = await site.surely("GET", `${pathOf(threadId)}/runs`);
  const isListed = (await findThread(threadId, site)) !== undefined;
  return status === 404 && !isListed ? [] : [`deleted, but its runs answer ${status}, listed: ${isListed}`];
};

const listProblems = async ({ threadId, turns, plan }: PlayedThread, site: Site): Promise<string[]> => {
  const clockJumps = plan.clockJumps === true;
  const { runs } = await site.read(Runs, `${pathOf(threadId)}/runs`);
  const all = runs.map(({ runId, status }) => `${runId} ${status}`);
  const listed = all.slice(0, turns.length);
  const seen = turns.map(({ runId, events }) => `${runId} ${endStatus(events)}`);
  const thread = await findThread(threadId, site);
  // The list is in the order of the clock, as are the turns below.
  const isSameList = clockJumps ? seen.every((one) => all.includes(one)) : listed.join() === seen.join();
  return [
    ...(isSameList ? [] : [`its runs are ${seen.join()}; listed: ${listed.join()}`]),
    ...(runs.length <= turns.length + 1 ? [] : [`${runs.length} runs of ${turns.length} turns and one more`]),
    ...(thread?.activeRunId === null ? [] : [`all have ended; its active run: ${thread?.activeRunId}`]),
  ];
};

const endStatus = (events: readonly Received[]): string => {
  const end = events.at(-1);
  return end?.type === "run_end" ? end.status : "open";
};

/** One run of a thread lives at a time, in the order in which they were posted. */
const orderProblems = (turns: readonly RecordedTurn[]): string[] => {
  const begun = turns.filter(({ events }) => startedAt(events) !== undefined);
  return begun.flatMap((turn, index) => {
    const before = begun[index - 1];
    const endedAt = before?.events.at(-1)?.at ?? "";
    return before !== undefined && (startedAt(turn.events) ?? "") < endedAt
      ? [`run ${turn.runId} began before the one ahead of it had ended`]
      : [];
  });
};

/** A turn that the model refused would be refused again for ever, so a line of ours replaces it. */
const isRefused = (events: readonly Received[]): boolean => {
  const end = events.at(-1);
  return end?.type === "run_end" && end.stopReason === "refusal";
};

const startedAt = (events: readonly Received[]): string | undefined =>
  events.find(({ type }) => type === "run_start")?.at;

/** Such a turn is left out where others had been left out for it in vain: whether any were depends on what the thread held by then. */
const wasTooLong = (events: readonly Received[]): boolean => {
  const end = events.at(-1);
  return end?.type === "run_end" && end.error?.code === "context_too_long";
};

/** The next turn is told each turn that had begun and was neither refused nor too long, once, in order; nothing is sent again. */
const conversationProblems = ({ isUndone }: Plan, turns: readonly RecordedTurn[], next: Play): string[] => {
  const messages = next.requests.at(-1)?.messages ?? [];
  const tooLong = new Set(turns.filter(({ events }) => wasTooLong(events)).map(({ key }) => key));
  const all = messages.flatMap((message) => keysIn(userText(message))).filter((key) => !tooLong.has(key));
  const told = isUndone === true ? [...new Set(all)] : all;
  const begun = turns
    .filter(({ events }) => startedAt(events) !== undefined && !isRefused(events) && !wasUnreachable(events))
    .map(({ key }) => key)
    .filter((key) => !tooLong.has(key));
  const wanted = [...begun, next.key];
  return told.join() === wanted.join() ? [] : [`the next turn was told ${told.join()}, not ${wanted.join()}`];
};
