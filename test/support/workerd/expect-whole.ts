/** What holds for every transcript, whatever happened to its run (CONTRACT §3, Invariants). */
import { expect } from "vitest";
import type { TerminalStatus } from "../../../src/contract/run.ts";
import type { ReceivedEvent } from "./run-client.ts";

/** Checks numbering, the one `run_end`, and that everything that was opened is closed once. */
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
  expect(idsOf(events, ["permission_request"], "requestId")).toEqual(idsOf(events, ["permission_reply"], "requestId"));
};

const idsOf = (events: readonly ReceivedEvent[], types: readonly string[], key: string): string[] =>
  events.filter(({ type }) => types.includes(type)).map((event) => String(new Map(Object.entries(event)).get(key)));
