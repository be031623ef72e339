/** Lives through a long thread, turn by turn, and keeps what was sent to the provider. */
import { abortAllDurableObjects } from "cloudflare:test";
import { inject } from "vitest";
import { whereItDiffers } from "../append-only.ts";
import { type ScriptedModel, scriptModel } from "../scripted-model.ts";
import { write } from "../workspace/workspace-under-test.ts";
import { asksForSummary, type Body, chat, messagesOf } from "./chat.ts";
import { deploy } from "./deploy.ts";
import { expectWhole } from "./expect-whole.ts";
import type { TurnPlan } from "./long-thread-plan.ts";
import type { ReceivedEvent } from "./run-client.ts";
import { shiftedClock } from "./shifted-clock.ts";

/** Plays the turns; each has a script of its own, so that none uses what another has left. Call it inside a test. */
export const liveThrough = async (plans: readonly TurnPlan[]) => {
  const clock = shiftedClock();
  const talk = await chat([]);
  const { person } = talk;
  const models: ScriptedModel[] = [];

  const act = async (plan: TurnPlan, runId: string, event: ReceivedEvent): Promise<void> => {
    if (event.type !== "permission_request") return;
    clock.toNow();
    if (plan.moves) await person.ask("POST", "/_framework/actions/set-navigation", screenOf(plan));
    if (plan.deploys === "asked") await deploy();
    if (plan.answer === "abort") await person.abort(runId);
    else if (plan.answer === "reject") await person.decide(runId, event.requestId, { decision: "reject" });
    else await person.allow(runId, event);
  };

  const live = async (plan: TurnPlan): Promise<readonly ReceivedEvent[]> => {
    const model = await scriptModel(inject("modelUrl"), plan.replies);
    models.push(model);
    if (plan.rules !== undefined) await write(talk.workspace, "AGENTS.md", plan.rules);
    if (plan.deploys === "before") await deploy();
    if (plan.moves) {
      // A run that had to wait would do so by an alarm, and those ring by the real time.
      await talk.handedOver();
      clock.toAnotherDay();
    }
    const turn = await person.startSurely(talk.thread, model.prompt(plan.prompt));
    const deaths = new Set(plan.deaths);
    let seen = 0;
    const stopping = plan.stopsAt === undefined ? undefined : stop(model, plan.stopsAt, turn.runId);
    const events = await person.followWith(turn.events, async (event) => {
      seen += 1;
      if (deaths.delete(seen)) await abortAllDurableObjects();
      await act(plan, turn.runId, event);
    });
    await stopping;
    clock.toNow();
    // Looked at once more, as an app does: a run that died behind its end hands over now and not some seconds later.
    await person.view(turn.runId);
    expectWhole(events, plan.ends);
    return events;
  };

  const stop = async (model: ScriptedModel, nth: number, runId: string): Promise<void> => {
    await model.reaches(nth, "held");
    await person.abort(runId);
  };

  const events: (readonly ReceivedEvent[])[] = [];
  for (const plan of plans) events.push(await live(plan));
  const bodies = (await Promise.all(models.map((model) => model.requests()))).map((requests) =>
    requests.map(({ body }) => body),
  );
  return {
    events,
    person,
    /** The requests of turns, in their order. */
    calls: bodies.flatMap((ofTurn) => ofTurn.filter((body) => !asksForSummary(body))),
    /** Those for a summary. */
    summaries: bodies.flatMap((ofTurn) => ofTurn.filter(asksForSummary)),
    violations: (await Promise.all(models.map((model) => model.violations()))).flat(),
  };
};

const screenOf = ({ prompt }: TurnPlan) => ({ view: "stocks", path: `/stocks?q=${encodeURIComponent(prompt)}` });

type Blocks = readonly string[];

const blocksOf = (body: Body): Blocks =>
  messagesOf(body).flatMap(({ role, content }) => content.map((block) => `${role} ${JSON.stringify(block)}`));

const isSummary = (block: string | undefined): boolean => block?.startsWith('assistant {"type":"compaction"') === true;

const beginsWith = (whole: Blocks, start: Blocks): boolean => start.every((block, at) => block === whole[at]);

/** Where a request does not begin with the one before: `summary`, `tools`, or what is wrong. */
export const breaksOf = (calls: readonly Body[], summaries: readonly Body[]): { at: number; why: string }[] =>
  calls.slice(1).flatMap((call, index) => {
    const before = calls[index] ?? {};
    const difference = whereItDiffers(before, call);
    return difference === undefined
      ? []
      : [{ at: index + 1, why: whyOf(before, call, summaries) ?? JSON.stringify(difference) }];
  });

const whyOf = (before: Body, call: Body, summaries: readonly Body[]): string | undefined => {
  const [was, is] = [blocksOf(before), blocksOf(call)];
  const isOtherSummary = isSummary(is[0]) && is[0] !== was[0];
  // Only what was summarized is gone from the front.
  const isOnlyThat = summaries.some((asked) => {
    const covered = blocksOf(asked);
    return beginsWith(was, covered) && beginsWith(is.slice(1), was.slice(covered.length));
  });
  if (isOtherSummary) return isOnlyThat ? "summary" : undefined;
  const { tools: _, ...rest } = before;
  const { tools: __, ...later } = call;
  return whereItDiffers(rest, later) === undefined ? "tools" : undefined;
};
