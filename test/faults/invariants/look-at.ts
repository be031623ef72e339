/** Everything that must hold once all turns of a case are over. */
import type { PlayedThread, Stage } from "../world/play-thread.ts";
import type { Play } from "../world/playing-model.ts";
import { follow, type Received, Recording } from "../world/recording.ts";
import { runProblems } from "./run-problems.ts";
import { threadProblems } from "./thread-problems.ts";

/** Problems of these threads. Each gets one more turn, which must know what was before. */
export const lookAt = async (threads: readonly PlayedThread[], stage: Stage): Promise<string[]> => {
  const found = await Promise.all(
    threads.map(async (thread) => {
      const { plan, turns } = thread;
      const next = plan.isDeleted === true ? undefined : await playNext(thread, stage);
      return [
        ...(await Promise.all(turns.map((turn) => runProblems(turn, plan, stage)))).flat(),
        ...(await threadProblems(thread, next, stage.site)),
        ...((await plan.problems?.(turns, stage)) ?? []).map((problem) => `${plan.name}: ${problem}`),
      ];
    }),
  );
  return found.flat();
};

const playNext = async ({ threadId }: PlayedThread, { site, model, signal }: Stage): Promise<Play> => {
  const play = model.add(`${threadId.replaceAll(/\W/g, "-")}-next`, "And now?", []);
  const { runId, events } = await site.startTurn(threadId, play.prompt);
  const recording = new Recording();
  // The vendor's SDK first goes on with a call that a turn before was stopped in: nothing more of that is wanted.
  const refuse = (event: Received): void => {
    if (event.type !== "permission_request") return;
    const path = `/_framework/runs/${runId}/permissions/${event.requestId}`;
    refusals.push(site.surely("POST", path, { decision: "reject" }));
  };
  const refusals: Promise<unknown>[] = [];
  await follow(site.url + events, recording, signal, refuse);
  await Promise.all(refusals);
  const end = recording.events.at(-1);
  if (end?.type !== "run_end" || end.status !== "completed")
    play.problems.push("the thread's next turn did not complete");
  return play;
};
