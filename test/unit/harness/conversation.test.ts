/** The messages of a turn as they are sent: what comes before and after them, and roles that alternate. */
import { describe, expect, it } from "vitest";
import {
  isResumed,
  joinRoles,
  NO_FACTS,
  type TurnState,
  withContext,
} from "../../../src/harness/anthropic/conversation.ts";
import { answered, asked, askedBehind, ours, readStep, saidTurn, text } from "../../support/sample-turns.ts";
import { resumed } from "../../support/turn-requests-world.ts";

const state = (context: string, notes: TurnState["notes"] = {}): TurnState => ({
  ...{ context, notes, facts: NO_FACTS },
});

const [call, found] = [readStep("p", "found")[0] ?? answered(""), readStep("p", "found")[1] ?? asked("")];

describe("a turn is sent", () => {
  it("with its context before the prompt", () => {
    expect(withContext([asked("Hi"), answered("Hello.")], state("<context>"))).toEqual([
      askedBehind("<context>", "Hi"),
      answered("Hello."),
    ]);
  });

  it("as it is where it has neither context nor notes", () => {
    const messages = [asked("Hi"), call, found];
    expect(withContext(messages, state(""))).toEqual(messages);
  });

  it("with each note after the results of its step", () => {
    expect(withContext([asked("Hi"), call, found, call, found], state("", { 2: "A note." }))).toEqual([
      ...[asked("Hi"), call, found, call],
      { role: "user", content: [...found.content, ours("A note.")] },
    ]);
  });

  it("with a note after the results that follow a message which the model paused", () => {
    const paused = [asked("Hi"), answered("So far"), call, found];
    expect(
      withContext(paused, state("", { 2: "A note." }))
        .at(-1)
        ?.content.at(-1),
    ).toEqual(ours("A note."));
  });
});

describe("roles take turns", () => {
  it("where neighbours of one role are one message, and empty ones are none", () => {
    const empty = { role: "assistant", content: [] } as const;
    expect(joinRoles([asked("a"), { ...empty, content: [] }, asked("b"), answered("c"), answered("d")])).toEqual([
      asked("a", "b"),
      { role: "assistant", content: [text("c"), text("d")] },
    ]);
  });

  it("and the messages that are joined stay as they were", () => {
    const messages = [asked("a"), asked("b")];
    joinRoles(messages);
    expect(messages).toEqual([asked("a"), asked("b")]);
  });
});

describe("a conversation is resumed", () => {
  const compaction = { type: "opaque", block: { type: "compaction", content: "So far." } } as const;

  it.each([
    ["it has turns", resumed([saidTurn("a")]), true],
    ["it has a summary", resumed([], { compaction }), true],
    ["none of its turns was loaded", resumed([], { hasOlder: true }), true],
    ["it is a thread's first", resumed([]), false],
  ])("where %s", (_, resumeState, expected) => {
    expect(isResumed(resumeState)).toBe(expected);
  });
});
