/** Picks events of one kind out of a transcript. */
import type { TranscriptEvent } from "../../../src/contract/transcript.ts";
import type { ReceivedEvent } from "./run-client.ts";

/** A received event of one kind. */
type Received<Type extends TranscriptEvent["type"]> = Extract<ReceivedEvent, { type: Type }>;

/** All events of a kind, in their order. */
export const ofType = <Type extends TranscriptEvent["type"]>(
  events: readonly ReceivedEvent[],
  type: Type,
): Received<Type>[] => events.filter((event): event is Received<Type> => event.type === type);

/** The only event of a kind. @throws when there is none or more than one. */
export const theOnly = <Type extends TranscriptEvent["type"]>(
  events: readonly ReceivedEvent[],
  type: Type,
): Received<Type> => {
  const [event, ...others] = ofType(events, type);
  if (event === undefined || others.length > 0) {
    throw new Error(`${event === undefined ? "No" : "More than one"} ${type}: ${JSON.stringify(events)}`);
  }
  return event;
};
