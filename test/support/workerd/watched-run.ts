/** A run that asks for a permission and ends while somebody watches it, though its object dies under them. */
import { env, runInDurableObject } from "cloudflare:test";
import { inject } from "vitest";
import { z } from "zod";
import { callTool, say } from "../model-script.ts";
import { scriptModel } from "../scripted-model.ts";
import { openStream } from "./run-client.ts";
import type { shiftedClock } from "./shifted-clock.ts";
import type { Somebody } from "./somebody.ts";

const Pending = z.object({ requestId: z.string() });

/** Longer than a run must take to be worth a notice at its end, in s. */
const LONG_S = 60;

/** Shorter than nobody may watch before a notice is due, in s. */
const SHORT_S = 3;

/** Watches such a run to its end and returns the tags that its notices would have. The clock has been moved: no alarm rings by itself. */
export const watchRun = async (
  person: Somebody,
  clock: Pick<ReturnType<typeof shiftedClock>, "forward">,
  threadId: string,
): Promise<readonly string[]> => {
  const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" }), say("Not added.")]);
  const { runId, events } = await person.startTurn(threadId, model.prompt("Add it"));
  /** Reads all that comes, as a page does. */
  const watch = async () => {
    const stream = await openStream(person.request, events, "run_status");
    return { reading: stream.rest().catch(() => "It was cut off.") };
  };
  const later = async (seconds: number) => {
    clock.forward(seconds * 1_000);
    await person.wake(runId);
  };
  const first = await watch();
  await later(LONG_S);
  await runInDurableObject(env.RUNS.getByName(runId), (_, ctx) => ctx.abort("Killed.")).catch(() => undefined);
  await first.reading;
  await later(SHORT_S);
  const { reading } = await watch();
  await later(LONG_S);
  const { requestId } = Pending.parse((await person.view(runId)).pendingPermissions[0]);
  await person.decide(runId, requestId, { decision: "reject" });
  await reading;
  await later(LONG_S);
  return [`request-${requestId}`, `run-${runId}`];
};
