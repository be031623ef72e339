/**
 * A message sent at any moment to a run whose objects die at random moments: the model is given it exactly once and in one
 * place, or it is given back. One seed alone: `npx vitest run --project worker steering-faults -t "seed 17"`; more of them:
 * `VITE_STEERING_SEEDS=500 npx vitest run --project worker steering-faults`.
 */
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, inject, it } from "vitest";
import { z } from "zod";
import { whereItDiffers } from "../../support/append-only.ts";
import { callTool, callTools, say, think } from "../../support/model-script.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { randomOf } from "../../support/random.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { type ReceivedEvent, runClient } from "../../support/workerd/run-client.ts";

/** Events of a turn of the script, roughly: the message and the deaths fall anywhere in it. */
const EVENTS_PER_TURN = 22;

/** In a normal run, the message is sent at each of these events four or five times, with other deaths each time. */
const { env } = z.object({ env: z.object({ VITE_STEERING_SEEDS: z.coerce.number().default(100) }) }).parse(import.meta);
const SEEDS = Array.from({ length: env.VITE_STEERING_SEEDS }, (_, seed) => seed);

const WORDS = "only the large ones";

const Messages = z.array(z.object({ role: z.string(), content: z.array(z.looseObject({ type: z.string() })) }));

/** Where a request holds the words: which message, which block of it, and what comes before it there. */
const placesIn = (body: Readonly<Record<string, unknown>>) =>
  Messages.parse(body.messages).flatMap(({ role, content }, at) =>
    content.flatMap((block, index) =>
      JSON.stringify(block).includes(WORDS)
        ? [{ at, index, role, before: content.slice(0, index).map(({ type }) => type) }]
        : [],
    ),
  );

describe("a message to a run whose objects die", () => {
  it.for(SEEDS)("reaches the model once and in its place, seed %i", async (seed, { expect }) => {
    const random = randomOf(seed);
    const anyEvent = () => Math.ceil(random() * EVENTS_PER_TURN);
    const deaths = new Set([anyEvent(), anyEvent()]);
    const saidAt = 1 + (seed % EVENTS_PER_TURN);
    const client = runClient(`steering-${seed}@example.com`);
    const model = await scriptModel(inject("modelUrl"), [
      callTools([
        { name: "list-stocks", input: {} },
        { name: "view-screen", input: {} },
      ]),
      callTool("add-stock", { symbol: "AAPL" }),
      ...Array.from({ length: 5 }, () => think("Hm.", "Done, one two three.")),
    ]);
    const turn = await client.startSurely("thread", model.prompt("Add AAPL"));
    const tell = async () => {
      for (let tries = 0; tries < 20; tries += 1) {
        const body = { text: WORDS };
        const sent = await client.post(`/_framework/runs/${turn.runId}/messages`, body, { "Idempotency-Key": "once" });
        if (sent.ok || sent.status === 409) return sent.ok;
      }
      throw new Error("The message never got through.");
    };
    const seen: ReceivedEvent[] = [];
    let wasTaken = false;
    const events = await client.followWith(turn.events, async (event) => {
      seen.push(event);
      if (seen.length === saidAt) wasTaken = await tell();
      if (deaths.delete(seen.length)) await abortAllDurableObjects();
      await client.allow(turn.runId, event);
    });

    expectWhole(events, "completed");
    expect(ofType(events, "steer_message")).toHaveLength(wasTaken ? 1 : 0);
    const applied = ofType(events, "steer_applied");
    const dropped = ofType(events, "steer_dropped");
    expect(applied.length + dropped.length).toBe(wasTaken ? 1 : 0);

    await model.add([say("Three."), say("Three."), say("Three.")]);
    const next = await client.startSurely("thread", "And now?");
    expectWhole(await client.follow(next.events), "completed");
    const bodies = (await model.requests()).map(({ body }) => body);
    const places = bodies.map(placesIn);
    const firstAt = places.findIndex((found) => found.length > 0);
    const place = places[firstAt]?.[0];
    // In every request from the first one on, once and at the same place; never between a call and its results.
    expect(places.slice(firstAt === -1 ? places.length : firstAt)).toEqual(
      applied.length === 0 ? [] : bodies.slice(firstAt).map(() => [place]),
    );
    expect(place === undefined ? "user" : place.role).toBe("user");
    expect(bodies.slice(1).map((body, nth) => whereItDiffers(bodies[nth] ?? {}, body))).toEqual(
      bodies.slice(1).map(() => undefined),
    );
    expect(await model.violations()).toEqual([]);
    expect(theOnly(events, "user_message").text).toContain("Add AAPL");
  });

  it.for<{ points: readonly CrashPoint[] }>([
    { points: ["before takeMessages"] },
    { points: ["after takeMessages"] },
    { points: ["after closeMessage", "before openMessage"] },
    { points: ["before endCall", "after takeMessages", "before openMessage"] },
  ])("goes on with it when the object dies $points", async ({ points }, { expect }) => {
    const threadId = `steering ${points.join()}`;
    const client = runClient(
      `steered-${points.length}-${points.join("").replaceAll(" ", "-").toLowerCase()}@example.com`,
    );
    const model = await scriptModel(inject("modelUrl"), [
      holdBefore(callTool("list-stocks", {})),
      ...Array.from({ length: 3 }, () => say("Done.")),
    ]);
    const turn = await client.startTurn(threadId, model.prompt("Look"));
    await model.reaches(1, "held");
    await client.post(`/_framework/runs/${turn.runId}/messages`, { text: WORDS });
    planCrashes(threadId, points);
    await model.release();
    const events = await client.follow(turn.events);
    expectWhole(events, "completed");
    await died(threadId);
    expect(theOnly(events, "steer_applied").step).toBe(2);
    const bodies = (await model.requests()).map(({ body }) => body);
    expect(bodies.slice(1).map(placesIn)).toEqual(
      bodies.slice(1).map(() => [{ at: 2, index: 1, role: "user", before: ["tool_result"] }]),
    );
    expect(await model.violations()).toEqual([]);
  });
});
