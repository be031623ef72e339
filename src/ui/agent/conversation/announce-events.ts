/** Tells people who use a screen reader what happens: whole messages, questions, the end; never each delta. */
import type { PermissionOutcome } from "../../../contract/permission.ts";
import { cutText } from "../../../contract/plain-text.ts";
import type { TerminalStatus } from "../../../contract/run.ts";
import type { EventOf, NumberedEvent } from "../../../contract/transcript.ts";
import { announce } from "../../parts/announcer.tsx";
import { spokenText } from "../markdown/spoken-text.ts";
import { shownText } from "../permission/foreign-text.tsx";
import { requestTitle } from "../permission/request-title.ts";
import type { TranscriptState } from "../stream/transcript-state.ts";

const END_WORDS: Readonly<Record<TerminalStatus, string>> = {
  completed: "Done.",
  incomplete: "The agent hit a limit before it was done.",
  failed: "Something went wrong.",
  aborted: "Stopped.",
};

/** One sentence for how a run ended. */
export const endWords = (status: TerminalStatus, stopReason: string | undefined): string =>
  status === "incomplete" && stopReason === "budget" ? "Stopped: the budget is used up." : END_WORDS[status];

/** The sentences for a run that was cut off. If more budget was refused or nobody answered, that outcome already says that it stopped. */
export const incompleteWords = ({ stopReason, items }: Pick<TranscriptState, "stopReason" | "items">): string => {
  const asked = items.findLast((item) => item.type === "budget");
  const isSaid = stopReason === "budget" && asked?.type === "budget" && isNo(asked.permission.reply?.decision);
  return isSaid ? GO_ON : `${endWords("incomplete", stopReason)} ${GO_ON}`;
};

/**
 * The sentence for a run that the model itself ended, undefined when its answer says enough. Models do end without a word, mostly after a
 * tool or with the whole answer in their thinking: https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 */
export const completedWords = ({
  stopReason,
  items,
}: Pick<TranscriptState, "stopReason" | "items">): string | undefined => {
  if (stopReason === "refusal") return "The model declined to answer this.";
  const last = items.findLast((item) => item.type === "message" || item.type === "tool");
  return last?.type === "message" && last.text.trim() === ""
    ? `The agent ended without an answer. ${GO_ON}`
    : undefined;
};

const isNo = (decision: PermissionOutcome | undefined): boolean => decision === "reject" || decision === "expired";

const GO_ON = "Send “Go on” to continue.";

/** The sentence for a run that failed, with the server's reason. */
export const failureWords = (reason: string | undefined): string =>
  reason === undefined || reason === END_WORDS.failed
    ? END_WORDS.failed
    : `Something went wrong: ${reason.replace(/^(?:The|This|No|A)\b/, (word) => word.toLowerCase())}`;

/** In UTF-16 units. A longer message is cut: the conversation has all of it. */
const MAX_SPOKEN_LENGTH = 400;

/** The words for a batch of live events, or undefined when there is nothing to say. `items`: the run's items after these events. */
export const spokenWords = (
  events: readonly NumberedEvent[],
  items: TranscriptState["items"] = [],
): string | undefined => {
  const answered = new Set(
    events.flatMap((event) =>
      event.type === "permission_reply" || event.type === "question_reply" ? [event.requestId] : [],
    ),
  );
  const words: string[] = [];
  for (const event of events) {
    if (event.type === "message_end" && event.text.trim() !== "") words.push(spoken(event.text));
    if (event.type === "steer_applied") words.push("The agent has your message.");
    if (event.type === "steer_dropped") words.push("The agent stopped before your message was delivered.");
    if (event.type === "context_compacted") words.push("Earlier messages were summarized.");
    if (event.type === "context_reset") words.push(`Started fresh: ${event.reason}`);
    if (event.type === "permission_request" && !answered.has(event.requestId)) {
      words.push(`The agent asks: ${shownText(requestTitle({ ...event, isTruncated: event.truncated === true }))}?`);
    }
    if (event.type === "question_request" && !answered.has(event.requestId)) {
      words.push(`The agent asks: ${event.questions.map(({ question }) => shownText(question, true)).join(" ")}`);
    }
    if (event.type === "plan_proposed" && !answered.has(event.requestId)) words.push("The agent proposes a plan.");
    if (event.type === "run_end") words.push(...spokenEnd(event, items));
  }
  return words.length === 0 ? undefined : words.join(" ");
};

/** The sentences for the run's end, as its banner shows them. A run that was cancelled before it began is just announced as stopped. */
const spokenEnd = ({ status, error, stopReason }: EventOf<"run_end">, items: TranscriptState["items"]): string[] => {
  if (status === "failed") return [failureWords(error?.message)];
  if (status === "incomplete") return [incompleteWords({ stopReason, items })];
  if (status === "aborted") return [endWords(status, stopReason)];
  return [completedWords({ stopReason, items })].filter((words) => words !== undefined);
};

/** How much of a message is searched for markdown's marks, in UTF-16 units. The marks take room, and the search takes time. */
const MAX_READ_LENGTH = 4 * MAX_SPOKEN_LENGTH;

const spoken = (markdown: string): string => {
  const text = spokenText(cutText(markdown, MAX_READ_LENGTH));
  const isCut = text.length > MAX_SPOKEN_LENGTH || markdown.length > MAX_READ_LENGTH;
  return isCut ? `${cutText(text, MAX_SPOKEN_LENGTH)}…` : text;
};

export const announceEvents = (events: readonly NumberedEvent[], items: TranscriptState["items"]): void => {
  const words = spokenWords(events, items);
  if (words !== undefined) announce(words);
};
