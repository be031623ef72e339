/** Says aloud what a person who only listens has to know: whole messages, questions, the end. Never each delta. */

import { cutText } from "../../../contract/cut-text.ts";
import type { NumberedEvent } from "../../../contract/transcript.ts";
import { announce } from "../../parts/announcer.tsx";
import { shownText } from "../permission/text-parts.ts";
import { endWords } from "./end-words.ts";

/** A longer message can be read in the conversation itself. */
const MAX_SPOKEN_LENGTH = 400;

/** The words for a batch of live events; undefined where there is nothing to say. Later ones stand for earlier ones. */
export const spokenWords = (events: readonly NumberedEvent[]): string | undefined => {
  const answered = new Set(events.flatMap((event) => (event.type === "permission_reply" ? [event.requestId] : [])));
  const words: string[] = [];
  for (const event of events) {
    if (event.type === "message_end" && event.text.trim() !== "") words.push(spoken(event.text));
    if (event.type === "context_compacted") words.push("Earlier messages were summarized.");
    if (event.type === "context_reset") words.push(`Started fresh: ${event.reason}`);
    if (event.type === "permission_request" && !answered.has(event.requestId)) {
      words.push(`The agent asks: ${shownText(event.title)}?`);
    }
    if (event.type === "run_end" && event.status !== "completed") {
      const end = endWords(event.status, event.stopReason);
      words.push(event.error === null ? end : `${end} ${event.error.message}`);
    }
  }
  return words.length === 0 ? undefined : words.join(" ");
};

const spoken = (text: string): string =>
  text.length > MAX_SPOKEN_LENGTH ? `${cutText(text, MAX_SPOKEN_LENGTH)}…` : text;

/** Says them. */
export const announceEvents = (events: readonly NumberedEvent[]): void => {
  const words = spokenWords(events);
  if (words !== undefined) announce(words);
};
