/** A case in which the product itself goes on living: threads are played, a fault comes in the middle, all is looked at. */
import { lookAt } from "../invariants/look-at.ts";
import { type Moment, reachMoment } from "../kill/moment.ts";
import type { Plan } from "../scenarios/scenario.ts";
import { playThread, type Stage } from "./play-thread.ts";
import type { PlayingModel } from "./playing-model.ts";
import { Pulse } from "./pulse.ts";
import { Site } from "./site.ts";

/** Where it is played. */
type CaseWorld = { readonly url: string; readonly model: PlayingModel; readonly workspaceDir: string; pulse: Pulse };

/** What happens. `fault` has an end of its own: the product is sound again when it resolves. */
type Case = {
  /** Letters and digits, unique. */
  readonly id: string;
  readonly plans: readonly Plan[];
  readonly moment: Moment;
  readonly fault: () => Promise<void>;
  readonly patienceMs: number;
  /** With this fault the product can only answer 500 for a while. */
  readonly mayAnswer500?: boolean;
};

/** Plays it; problems of everything but the log. */
export const playCase = async (world: CaseWorld, one: Case): Promise<string[]> => {
  const { id, plans, moment, fault, patienceMs } = one;
  world.model.clear();
  world.pulse = new Pulse();
  const { pulse, model, workspaceDir } = world;
  const signal = AbortSignal.timeout(patienceMs);
  const site = new Site(world.url, signal);
  const back = Promise.withResolvers<void>();
  const stage: Stage = { site, model, pulse, signal, workspaceDir, isBack: back.promise };
  const over = new AbortController();
  const playing = Promise.allSettled(plans.map((plan, thread) => playThread(plan, `${id}${thread}`, stage)));
  void playing.then(() => over.abort());
  await reachMoment(moment, pulse, over.signal);
  await fault();
  back.resolve();
  const played = await playing;
  const threads = played.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const lost = played.flatMap((result) => (result.status === "rejected" ? [`a thread failed: ${result.reason}`] : []));
  const found = await lookAt(threads, stage).catch((error: unknown) => [`it cannot be looked at: ${String(error)}`]);
  return [...lost, ...found, ...(one.mayAnswer500 === true ? [] : site.broken), ...model.strays];
};
