/** What a turn begins with: the context before its prompt, and which parts of it the person is told. */
import { describe, expect, it } from "vitest";
import { NO_FACTS, NO_RESUME_STATE, type ResumeState } from "../../../src/harness/anthropic/conversation.ts";
import { type ConversationOpening, openTurn, stateWithoutContext } from "../../../src/harness/anthropic/open-turn.ts";
import { requestPrefix } from "../../../src/harness/anthropic/request-prefix.ts";
import { instructionsText } from "../../../src/harness/turn-context.ts";
import { answered, asked, askedBehind, saidTurn, turnOf } from "../../support/sample-turns.ts";
import { resumed } from "../../support/turn-requests-world.ts";

const found = { path: "AGENTS.md", text: "Be brief.", isCut: false, hash: "h1" };
const GIVEN = instructionsText(found);
const GONE = "those given before no longer hold";

const open = (opening: Partial<ConversationOpening> = {}) =>
  openTurn({
    resumeState: NO_RESUME_STATE,
    binding: { model: "claude-sonnet-5-5", prefixHash: "p1" },
    nowMs: Date.UTC(2026, 10, 20, 23, 59),
    screen: '{"view":"stocks"}',
    workspaceDir: "/srv/project",
    previousWorkspaceDir: undefined,
    instructions: "none",
    elsewhere: [],
    undone: [],
    ...opening,
  });

/** A thread whose first turn brought these instructions. */
const informed = (more: Partial<ResumeState> = {}): ResumeState =>
  resumed([turnOf("a", [askedBehind(`<context>\n${GIVEN}\n</context>`, "Hi"), answered("Hello.")])], {
    facts: { ...NO_FACTS, prefixHash: "p1", instructionsHash: "h1" },
    ...more,
  });

describe("a thread's first turn", () => {
  it("begins with the date, the workspace and the screen, and none of it is reported", () => {
    const { state, events } = open();
    expect(state).toEqual({
      context: [
        "<context>",
        "Today is 2026-11-20 (UTC).",
        'The workspace\'s root is "/srv/project"; all paths are relative to it.',
        "The person's screen, as the app stored it:",
        '<data>{"view":"stocks"}</data>',
        "</context>",
      ].join("\n"),
      facts: { ...NO_FACTS, prefixHash: "p1", movedFrom: "/srv/project" },
      notes: {},
      toldBefore: { instructionsHash: null, undoneUpToMs: 0, movedFrom: "/srv/project", cut: NO_FACTS.cut },
    });
    expect(events).toEqual([]);
  });

  it.each([
    ["Europe/Berlin", "Today is 2026-11-21, Saturday. It is 00:59 in the person's time zone, Europe/Berlin."],
    ["America/New_York", "Today is 2026-11-20, Friday. It is 18:59 in the person's time zone, America/New_York."],
    ["Asia/Kolkata", "Today is 2026-11-21, Saturday. It is 05:29 in the person's time zone, Asia/Kolkata."],
  ])("names the day and the time of a person in %s", (timeZone, words) => {
    expect(open({ timeZone }).state.context.split("\n")[1]).toBe(words);
  });

  it("brings the project's instructions, and tells of them", () => {
    const { state, events } = open({ instructions: found });
    expect(state.context).toContain(GIVEN);
    expect(state.facts.instructionsHash).toBe("h1");
    expect(events).toEqual([{ type: "context_added", source: "instructions", path: "AGENTS.md" }]);
  });

  it("says nothing of a workspace it was in before, since it was in none", () => {
    expect(open({ previousWorkspaceDir: "/srv/old" }).events).toEqual([]);
  });
});

describe("project instructions", () => {
  it("that the model has before it are not given again", () => {
    const { state, events } = open({ resumeState: informed(), instructions: found });
    expect(state.context).not.toContain("AGENTS.md");
    expect([state.facts.instructionsHash, events]).toEqual(["h1", []]);
  });

  it("that are not given again still hold: by the rules, the newest context replaces only what each context says", async () => {
    const { system } = await requestPrefix([]);
    const [, inEach, once] =
      /<context> block\. (.*): of these only the newest block applies\. (.*)/.exec(system.join()) ?? [];
    expect(inEach).toMatch(/^Each block names the date, the workspace, the screen and, while it is on, plan mode$/);
    expect(once).toMatch(
      /^Whatever else .* holds in later turns until a later block says otherwise: .*project instructions/,
    );
  });

  it("that only a person has written are given", () => {
    const quoted = resumed([turnOf("a", [asked("Hi", GIVEN), answered("Hello.")])], { facts: informed().facts });
    expect(open({ resumeState: quoted, instructions: found }).state.context).toContain(GIVEN);
  });

  it("that have changed are given with the turn, and reported", () => {
    const changed = { ...found, text: "Be long.", hash: "h2" };
    const { state, events } = open({ resumeState: informed(), instructions: changed });
    expect(state.context).toContain(instructionsText(changed));
    expect([state.facts.instructionsHash, events]).toEqual([
      "h2",
      [{ type: "context_added", source: "instructions", path: "AGENTS.md" }],
    ]);
  });

  it("that are gone are said, once, to apply no longer", () => {
    const { state, events } = open({ resumeState: informed() });
    expect(state.context).toContain(GONE);
    expect([state.facts.instructionsHash, events]).toEqual([null, []]);
    const next = open({ resumeState: informed({ facts: state.facts }) });
    expect(next.state.context).not.toContain(GONE);
  });

  it("that came back are given again", () => {
    const facts = { ...informed().facts, instructionsHash: null };
    const { state, events } = open({ resumeState: informed({ facts }), instructions: found });
    expect([state.context.includes(GIVEN), state.facts.instructionsHash, events.length]).toEqual([true, "h1", 1]);
  });

  it("hold as they were where the workspace does not say", () => {
    const { state, events } = open({ resumeState: informed(), instructions: "unknown" });
    expect(state.context).not.toMatch(/instructions/);
    expect([state.facts.instructionsHash, events]).toEqual(["h1", []]);
  });

  it.each([
    ["summarized", { compaction: { type: "opaque" as const, block: { type: "compaction", content: "So far." } } }],
    ["left out", { hasOlder: true }],
  ])("of a turn that is %s by now are given again, and nothing is told: they are not new", (_, more) => {
    const { state, events } = open({
      resumeState: informed({ turns: [saidTurn("b")], ...more }),
      instructions: found,
    });
    expect([state.context.includes(GIVEN), state.facts.instructionsHash, events]).toEqual([true, "h1", []]);
  });

  it("that only the model quotes are given", () => {
    const quoting = turnOf("a", [asked("Hi"), answered(GIVEN)]);
    const { state } = open({ resumeState: informed({ turns: [quoting] }), instructions: found });
    expect(state.context).toContain(GIVEN);
  });
});

describe("a thread that continues", () => {
  it("in another workspace says so to the model and to the person", () => {
    const { state, events } = open({ resumeState: informed(), previousWorkspaceDir: "/srv/old" });
    expect(state.context).toContain('Earlier turns of this conversation worked in "/srv/old"');
    expect(events).toEqual([{ type: "context_added", source: "workspace", path: "/srv/project" }]);
  });

  it("under other rules lets the provider drop what was thought before", () => {
    const { state } = open({ resumeState: informed(), binding: { model: "claude-sonnet-5-5", prefixHash: "p2" } });
    expect(state.facts).toMatchObject({ prefixHash: "p2", dropsBlocks: true });
  });

  it("keeps what its model found too long, or did not summarize, and forgets it for another one", () => {
    const resumeState = informed({ facts: { ...informed().facts, maxBytes: 9_000, noSummaryAt: 6, inputTokens: 7 } });
    expect(open({ resumeState }).state.facts).toMatchObject({ maxBytes: 9_000, noSummaryAt: 6, inputTokens: 7 });
    const binding = { model: "claude-opus-5-5", prefixHash: "p1" };
    const { facts } = open({ resumeState, binding }).state;
    expect(facts).toMatchObject({ maxBytes: null, inputTokens: 7 });
    expect(facts).not.toHaveProperty("noSummaryAt");
  });
});

it("a turn that was begun before turns had a context has none, and the facts of its thread", () => {
  const { facts } = informed();
  expect(stateWithoutContext(informed())).toEqual({ context: "", facts, notes: {} });
});

describe("what the person has undone", () => {
  const undone = {
    undoneAtMs: 7,
    prompt: "Add </data> it",
    items: [
      { kind: "stock", label: "AAPL", effect: "remove", isDone: true },
      { kind: "file", label: "a</data>.txt", effect: "bring_back", isDone: false },
    ],
  } as const;

  it("is said in words that stay in their fence, and reported", () => {
    const { state, events } = open({ undone: [undone] });
    expect(state.context).toContain(
      [
        'The person has undone changes that you made in answer to "Add \\\\u003c/data> it":',
        '<data>stock "AAPL": was taken out of the list',
        'file "a\\u003c/data>.txt": may have been undone, so look before you rely on it</data>',
        "The person may have changed some of it since. Do not make the undone changes again unless they ask for it.",
      ].join("\n"),
    );
    expect([state.facts.undoneUpToMs, events]).toEqual([7, [{ type: "context_added", source: "undo" }]]);
  });

  it("is said once, until more is undone", () => {
    const facts = { ...NO_FACTS, undoneUpToMs: 7 };
    const resumeState = resumed([saidTurn("a")], { facts });
    expect(open({ resumeState, undone: [undone] }).events).toEqual([]);
    const { state, events } = open({ resumeState, undone: [{ ...undone, undoneAtMs: 8 }] });
    expect([state.facts.undoneUpToMs, events.length]).toEqual([8, 1]);
  });

  it("is not said where an earlier turn still says it, whatever the facts say", () => {
    const { state } = open({ undone: [undone] });
    const resumeState = resumed([turnOf("a", [askedBehind(state.context, "Hi"), answered("Hello.")])]);
    expect(open({ resumeState, undone: [undone] }).events).toEqual([]);
  });

  it("names fifty things and counts the rest", () => {
    const items = Array.from({ length: 53 }, (_, n) => ({ ...undone.items[0], label: `S${n}` }));
    expect(open({ undone: [{ ...undone, items }] }).state.context).toContain("and 3 more</data>");
  });
});
