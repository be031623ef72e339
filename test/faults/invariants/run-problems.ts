/** What is wrong with a finished run, as its clients, a fresh reader and its status route tell it. */
import { RunView } from "../../../src/contract/run.ts";
import { MAX_ATTEMPTS_WITHOUT_CHECKPOINT } from "../../../src/run/run-state.ts";
import type { Plan } from "../scenarios/scenario.ts";
import type { RecordedTurn, Stage } from "../world/play-thread.ts";
import { framesOf, type Recording } from "../world/recording.ts";
import type { Site } from "../world/site.ts";
import { timeProblems, transcriptProblems } from "./transcript-problems.ts";

/** Problems of one turn, each with the run it is about. */
export const runProblems = async (
  turn: RecordedTurn,
  plan: Plan,
  { site, kills = 0 }: Pick<Stage, "site" | "kills">,
): Promise<string[]> => {
  const [first] = turn.recordings;
  const seen = turn.recordings.flatMap(({ problems }) => problems);
  const problems =
    plan.isDeleted === true
      ? [...turn.problems, ...seen, ...(await goneProblems(turn, site))]
      : [
          ...turn.problems,
          ...seen,
          ...transcriptProblems(turn.events),
          ...(plan.clockJumps === true ? [] : timeProblems(turn.events)),
          ...endProblems(turn, plan, kills),
          ...(await replayProblems(turn, site)),
          ...(first === undefined ? [] : await viewProblems(turn, first, site)),
        ];
  return problems.map((problem) => `${plan.name}, run ${turn.runId}: ${problem}`);
};

const goneProblems = async ({ runId }: RecordedTurn, site: Site): Promise<string[]> => {
  const paths = ["", "/events", "/prompt"].map((rest) => `/_framework/runs/${runId}${rest}`);
  const answers = await Promise.all(paths.map((path) => site.surely("GET", path)));
  return answers.filter(({ status }) => status !== 404).map(({ status }) => `deleted, but it answers ${status}`);
};

const endProblems = ({ events, abortAnswers }: RecordedTurn, plan: Plan, kills: number): string[] => {
  const end = events.at(-1);
  if (end?.type !== "run_end") return [];
  // run.md, "Recovery": after so many attempts that died at the same point, the run gives up and says so.
  const mayGiveUp = kills >= MAX_ATTEMPTS_WITHOUT_CHECKPOINT && end.error?.code === "worker_restarted";
  const mayFail = plan.mayBeUnreachable === true && wasUnreachable(events);
  const isHonoured = abortAnswers.every((status) => status === end.status || status === "aborting");
  return [
    ...(plan.mayEnd.includes(end.status) || mayGiveUp || mayFail
      ? []
      : [`ended ${end.status}: ${JSON.stringify(end.error)}`]),
    ...(isHonoured ? [] : [`an abort was answered ${abortAnswers.join()}, and it ended ${end.status}`]),
  ];
};

/** Whether the turn ended before it began, since nobody was there to run it. */
export const wasUnreachable = (events: RecordedTurn["events"]): boolean => {
  const end = events.at(-1);
  const isUnreachable = end?.type === "run_end" && end.error?.code === "workspace_unavailable";
  return isUnreachable && !events.some(({ type }) => type === "message_start");
};

/** Replay is byte-identical to live, for every client. */
const replayProblems = async ({ runId, recordings }: RecordedTurn, site: Site): Promise<string[]> => {
  const { body, status } = await site.surely("GET", `/_framework/runs/${runId}/events`);
  if (status !== 200 || typeof body !== "string") return [`its replay answers ${status}`];
  const replay = framesOf(body);
  return recordings.flatMap(({ frames }, client) => {
    const at = replay.findIndex((frame, index) => frame !== frames[index]);
    if (at < 0 && frames.length === replay.length) return [];
    return [
      `client ${client + 1} saw ${frames.length} frames, the replay has ${replay.length}; they differ at ${at + 1}`,
    ];
  });
};

const viewProblems = async ({ runId }: RecordedTurn, seen: Recording, site: Site): Promise<string[]> => {
  const view = await site.read(RunView, `/_framework/runs/${runId}`);
  const end = seen.events.at(-1);
  const status = end?.type === "run_end" ? end.status : "none";
  return [
    ...(view.status === status ? [] : [`its status is ${view.status}, its run_end says ${status}`]),
    ...(view.lastSeq === seen.frames.length ? [] : [`its lastSeq is ${view.lastSeq} of ${seen.frames.length}`]),
    ...(view.pendingPermissions.length === 0 ? [] : ["it has ended and still asks"]),
  ];
};
