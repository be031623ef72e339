/**
 * The whole thing killed in mid-turn, and started again on the same data: what a client with a real EventSource sees, be it
 * the developer's where sign-in is off, or that of somebody who has signed in.
 */
import { expect } from "vitest";
import { isGroupRunning } from "../../../src/process/process-group.ts";
import { openDevClient } from "../../support/dev-client.ts";
import { callTool, say } from "../../support/model-script.ts";
import { holdMidStream } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import type { Stage } from "./stage.ts";

/** Who signs in, and whom requests with and without their cookies are taken for. */
type Identities = { readonly email: string | undefined; readonly person: unknown; readonly nobody: unknown };

export const killMidTurn = async (stage: Stage, { email, person, nobody }: Identities): Promise<void> => {
  const script = await scriptModel(stage.modelUrl, [
    callTool("add-stock", { symbol: "AAPL", quantity: "10" }),
    holdMidStream("I have added it and now ", "I look."),
    say("I have added it."),
  ]);
  const first = await stage.take();
  const client = await openDevClient(first, email);
  const turn = await client.startTurn("t", script.prompt("Add 10 AAPL"));

  const hasDelta = Promise.withResolvers<void>();
  const decided = Promise.withResolvers<unknown>();
  const reading = client.readToEnd(turn.events, (event) => {
    if (event.type === "text_delta") hasDelta.resolve();
    if (event.type === "permission_request") decided.resolve(client.decide(turn.runId, event.requestId, "allow_once"));
  });
  await hasDelta.promise;
  // The run goes on while the answer to the decision is still on its way.
  await decided.promise;
  await first.killGroup();

  const second = await stage.start();
  const events = await reading;
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(({ type }) => type === "run_start").map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(events.filter(({ type }) => type === "message_discard")).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: "run_end", status: "completed" });
  expect(await client.post("/_framework/actions/list-stocks", {})).toMatchObject({
    items: [{ symbol: "AAPL", version: 1, updatedVia: "agent" }],
    total: 1,
  });
  expect(await client.get("/_framework/session")).toEqual({ status: 200, body: person });
  expect(await (await openDevClient(second)).get("/_framework/session")).toEqual(nobody);

  await script.add([say("You own AAPL.")]);
  await client.startTurn("t", "What do I own?");
  const next = await script.reaches(4, "answered");
  expect(JSON.stringify(next.body)).toContain("Add 10 AAPL");
  expect(await script.violations()).toEqual([]);
  expect(await second.stop("SIGTERM")).toBe(0);
  expect(isGroupRunning(second.record.wranglerGroupId)).toBe(false);
};
