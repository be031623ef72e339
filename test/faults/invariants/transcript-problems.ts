/** What is wrong with a finished transcript, by api.md §3 alone: numbering, order, and that all that opens is closed once. */
import type { Received } from "../world/recording.ts";

/** Problems in words; none for a transcript that is whole. */
export const transcriptProblems = (events: readonly Received[]): string[] => {
  const problems: string[] = [];
  const walk = new Walk((problem) => problems.push(problem));
  for (const event of events) walk.step(event);
  walk.end();
  return [...problems, ...openingProblems(events)];
};

const openingProblems = (events: readonly Received[]): string[] => {
  const [first, second] = events;
  const isOpened = first?.type === "run_start" || first?.type === "run_queued";
  const prompts = events.filter(({ type }) => type === "user_message").length;
  return [
    ...(isOpened && second?.type === "user_message" ? [] : [`begins with ${first?.type}, ${second?.type}`]),
    ...(prompts === 1 ? [] : [`${prompts} user messages`]),
  ];
};

/** Events whose time is before the one ahead of them. */
export const timeProblems = (events: readonly Received[]): string[] =>
  events.flatMap((event, index) => {
    const before = events[index - 1];
    return before !== undefined && before.at > event.at ? [`seq ${event.seq} is older than the one before it`] : [];
  });

/** Walks over the events in order and keeps what is open. */
class Walk {
  readonly #tell: (problem: string) => void;
  #seq = 0;
  #attempt = 0;
  #message: { readonly id: string; text: string } | undefined;
  readonly #messageIds = new Set<string>();
  readonly #openCalls = new Set<string>();
  readonly #calls = new Set<string>();
  #request: { readonly id: string; readonly callId: string } | undefined;
  readonly #requestedCalls = new Set<string>();
  #isOver = false;

  constructor(tell: (problem: string) => void) {
    this.#tell = tell;
  }

  step(event: Received): void {
    if (event.seq !== this.#seq + 1) this.#tell(`seq ${event.seq} after ${this.#seq}`);
    this.#seq = event.seq;
    if (this.#isOver) this.#tell(`${event.type} after run_end`);
    switch (event.type) {
      case "run_start":
        if (event.attempt !== this.#attempt + 1) this.#tell(`attempt ${event.attempt} after ${this.#attempt}`);
        if (this.#message !== undefined) this.#tell("an attempt began while a message was open");
        this.#attempt = event.attempt;
        break;
      case "message_start":
        if (this.#message !== undefined) this.#tell("two messages are open");
        if (this.#messageIds.has(event.messageId)) this.#tell("a message id was used again");
        if (this.#openCalls.size > 0) this.#tell("a message began while a call was open");
        this.#messageIds.add(event.messageId);
        this.#message = { id: event.messageId, text: "" };
        break;
      case "text_delta":
      case "thinking_delta":
        if (this.#message?.id !== event.messageId) this.#tell("a delta of no open message");
        else if (event.type === "text_delta") this.#message.text += event.text;
        break;
      case "message_end":
        if (this.#message?.id !== event.messageId) this.#tell("the end of no open message");
        else if (this.#message.text !== event.text) this.#tell("a message's text differs from its deltas");
        this.#message = undefined;
        break;
      case "message_discard":
        if (this.#message?.id !== event.messageId) this.#tell("the discard of no open message");
        this.#message = undefined;
        break;
      default:
        this.#stepCall(event);
    }
  }

  end(): void {
    if (!this.#isOver) this.#tell("no run_end");
  }

  #stepCall(event: Received): void {
    switch (event.type) {
      case "tool_start":
        if (this.#message !== undefined) this.#tell("a call began while its message was open");
        if (this.#calls.has(event.toolCallId)) this.#tell(`call ${event.toolCallId} began twice`);
        this.#calls.add(event.toolCallId);
        this.#openCalls.add(event.toolCallId);
        break;
      case "tool_output":
      case "file_change":
        if (!this.#openCalls.has(event.toolCallId)) this.#tell(`${event.type} of no open call`);
        break;
      case "permission_request":
        if (this.#request !== undefined) this.#tell("two requests are open");
        if (!this.#openCalls.has(event.toolCallId) && event.tool !== "budget") this.#tell("a request for no open call");
        if (this.#requestedCalls.has(event.toolCallId)) this.#tell(`call ${event.toolCallId} was asked for twice`);
        this.#requestedCalls.add(event.toolCallId);
        this.#request = { id: event.requestId, callId: event.toolCallId };
        break;
      case "permission_reply":
        if (this.#request?.id !== event.requestId) this.#tell("a reply to no open request");
        this.#request = undefined;
        break;
      case "tool_end":
        if (!this.#openCalls.delete(event.toolCallId)) this.#tell(`the end of call ${event.toolCallId}, not open`);
        if (this.#request?.callId === event.toolCallId) this.#tell("a call ended while it was asked for");
        break;
      case "run_end":
        this.#closeAll();
        break;
    }
  }

  #closeAll(): void {
    if (this.#message !== undefined) this.#tell("run_end while a message is open");
    if (this.#openCalls.size > 0) this.#tell(`run_end while calls are open: ${[...this.#openCalls].join()}`);
    if (this.#request !== undefined) this.#tell("run_end while a request is open");
    this.#isOver = true;
  }
}
