/** What holds for every transcript, whatever happened to its run (api.md §3, Invariants). */
import { expect } from "vitest";
import type { CostUsd, TerminalStatus } from "../../../src/contract/run.ts";
import { costOf, sumCosts } from "../../../src/model/token-prices.ts";
import type { ReceivedEvent } from "./run-client.ts";

/** Checks numbering, the one `run_end`, that everything that was opened is closed once, and that the costs add up. */
export const expectWhole = (events: readonly ReceivedEvent[], status: TerminalStatus): void => {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(({ type }) => type === "run_end")).toEqual([events.at(-1)]);
  expect(events.at(-1)).toMatchObject({ status });
  expect(idsOf(events, ["message_start"], "messageId")).toEqual(
    idsOf(events, ["message_end", "message_discard"], "messageId"),
  );
  expect(idsOf(events, ["tool_start"], "toolCallId").toSorted()).toEqual(
    idsOf(events, ["tool_end"], "toolCallId").toSorted(),
  );
  expect(idsOf(events, ["permission_request", "plan_proposed", "question_request"], "requestId")).toEqual(
    idsOf(events, ["permission_reply", "question_reply"], "requestId"),
  );
  expect(events.at(-1)).toMatchObject({ costUsd: costOfTranscript(events) });
};

/** The price table applied to what the provider said: of messages, dropped tries and compactions, by who was asked. */
const costOfTranscript = (events: readonly ReceivedEvent[]): CostUsd | null => {
  let model = "";
  const costs: (CostUsd | null)[] = [];
  for (const event of events) {
    if (event.type === "run_start") model = event.model;
    if ("usage" in event && event.usage !== undefined && event.type !== "run_end") {
      costs.push(costOf(model, event.usage));
    }
  }
  return sumCosts(costs);
};

const idsOf = (events: readonly ReceivedEvent[], types: readonly string[], key: string): string[] =>
  events.filter(({ type }) => types.includes(type)).map((event) => String(new Map(Object.entries(event)).get(key)));
