/** The requests of a turn: each begins with the one before, and what they depend on is kept before they are sent. */
import { describe, expect, it } from "vitest";
import { tokensOf } from "../../../src/harness/anthropic/compaction.ts";
import type { TurnState } from "../../../src/harness/anthropic/conversation.ts";
import type { TurnRequests } from "../../../src/harness/anthropic/turn-requests.ts";
import { toMessagesParams } from "../../../src/model/anthropic/anthropic-request.ts";
import type { Message } from "../../../src/model/messages.ts";
import type { ModelRequest } from "../../../src/model/model.ts";
import { whereItDiffers } from "../../support/append-only.ts";
import {
  asked,
  askedBehind,
  readStep,
  readTurn,
  resultsOf,
  saidTurn,
  text,
  textsOf,
} from "../../support/sample-turns.ts";
import {
  modelWith,
  modelWithoutSummaries,
  OPENED,
  PREFIX,
  resumed,
  turnRequests,
  unstopped,
} from "../../support/turn-requests-world.ts";

const REMOVED = "[result removed]";
const prompt = asked("And now?");
const steps = [...readStep("p1", "first"), ...readStep("p2", "second")];

const differenceOf = (before: ModelRequest, after: ModelRequest) =>
  whereItDiffers({ ...toMessagesParams(before) }, { ...toMessagesParams(after) });

const sizeOf = ({ messages }: ModelRequest): number => JSON.stringify(messages).length;

describe("a request", () => {
  it("has the rules, the tools, the limits of the model, and what the person chose", () => {
    const tools = [{ name: "read_file", description: "Reads.", inputSchema: { type: "object" } }];
    const { requests } = turnRequests({ prefix: { ...PREFIX, tools }, effort: "low" });
    expect(requests.next([prompt])).toEqual({
      model: "claude-sonnet-5-5",
      system: ["Rules."],
      tools,
      messages: [askedBehind("<context>", "And now?")],
      maxTokens: 32_768,
      hasThinking: true,
      dropsBlocks: false,
      effort: "low",
    });
  });

  it("does not ask for more than the model can write", () => {
    const { requests } = turnRequests({ model: modelWith({ maxOutputTokens: 8_192, hasAdaptiveThinking: false }) });
    expect(requests.next([prompt])).toMatchObject({ maxTokens: 8_192, hasThinking: false });
  });

  it("has earlier turns as they were, then the context, the prompt, and notes where they were first sent", () => {
    const state: TurnState = { ...OPENED, notes: { 1: "A note." } };
    const { requests } = turnRequests({ resumeState: resumed([saidTurn("a")]), state });
    const { messages } = requests.next([prompt, ...steps]);
    expect(messages.slice(0, 3)).toEqual([...saidTurn("a").messages, askedBehind("<context>", "And now?")]);
    expect(textsOf(messages).slice(3)).toEqual(["And now?", "A note."]);
    expect(messages[4]?.content.map(({ type }) => type)).toEqual(["tool_result", "text"]);
  });

  it("does not send what tells our words from a person's", () => {
    const { requests } = turnRequests({ state: { ...OPENED, notes: { 1: "A note." } } });
    const { messages } = toMessagesParams(requests.next([prompt, ...steps]));
    const fields = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content.map(Object.keys)));
    expect(new Set(fields.flat())).not.toContain("isOurs");
    expect(JSON.stringify(messages)).toContain("A note.");
  });

  it("begins with the one before it, at each step", async () => {
    const { requests } = turnRequests({ resumeState: resumed([readTurn("a", [50])]) });
    const before = requests.next([prompt]);
    await requests.prepare([prompt, ...steps.slice(0, 2)], undefined, unstopped());
    const after = requests.next([prompt, ...steps.slice(0, 2)]);
    await requests.prepare([prompt, ...steps], undefined, unstopped());
    expect([differenceOf(before, after), differenceOf(after, requests.next([prompt, ...steps]))]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe("before a step", () => {
  it("nothing is kept where nothing has changed", async () => {
    const { keeper, requests } = turnRequests({ resumeState: resumed([saidTurn("a")]) });
    await requests.prepare([prompt], undefined, unstopped());
    await requests.prepare([prompt, ...steps], undefined, unstopped());
    expect(keeper.saved).toEqual([]);
  });

  it("a release since the turn was begun lets the provider drop thinking, from then on", async () => {
    const { keeper, requests } = turnRequests({ prefix: { ...PREFIX, hash: "prefix-2" } });
    await requests.prepare([prompt, ...steps], undefined, unstopped());
    expect(keeper.saved.map(({ facts }) => [facts.prefixHash, facts.dropsBlocks])).toEqual([["prefix-2", true]]);
    await requests.prepare([prompt, ...steps], undefined, unstopped());
    expect([keeper.saved.length, requests.next([prompt]).dropsBlocks]).toEqual([1, true]);
  });

  it("a release before the first step of a first turn changes nothing that was thought", async () => {
    const { keeper, requests } = turnRequests({ prefix: { ...PREFIX, hash: "prefix-2" } });
    await requests.prepare([prompt], undefined, unstopped());
    expect(keeper.saved.map(({ facts }) => [facts.prefixHash, facts.dropsBlocks])).toEqual([["prefix-2", false]]);
  });

  it("a conversation that is too long is shortened to half of the room, and that is kept", async () => {
    const resumeState = resumed([readTurn("a", [9_000, 9_000]), readTurn("b", [5_000])]);
    const { keeper, requests } = turnRequests({ resumeState });
    await requests.prepare([prompt], undefined, unstopped());
    const request = requests.next([prompt]);
    expect(resultsOf(request.messages)).toEqual([REMOVED, REMOVED, "x".repeat(5_000)]);
    expect(request.dropsBlocks).toBe(true);
    expect(keeper.saved.map(({ facts }) => facts.cut.resultsBefore)).toEqual([{ runId: "a", message: 5 }]);
  });

  it("one that was shortened is not shortened again as it grows: half of the room is free", async () => {
    const { keeper, requests } = turnRequests({ resumeState: resumed([readTurn("a", [9_000, 9_000, 5_000])]) });
    await requests.prepare([prompt], undefined, unstopped());
    const before = requests.next([prompt]);
    const grown = [prompt, ...readStep("p1", "y".repeat(9_000))];
    await requests.prepare(grown, undefined, unstopped());
    expect([keeper.saved.length, differenceOf(before, requests.next(grown))]).toEqual([1, undefined]);
  });

  it("the rules and tools count to what there is room for", async () => {
    const resumeState = resumed([readTurn("a", [9_000])]);
    const { keeper, requests } = turnRequests({ resumeState, prefix: { ...PREFIX, bytes: 15_000 } });
    await requests.prepare([prompt], undefined, unstopped());
    expect(keeper.saved).toHaveLength(1);
  });

  it("a running turn of 840 KB is shortened in a window of 200,000 tokens, and keeps its newest results", async () => {
    const model = modelWith({ contextTokens: 200_000, canCompact: false });
    const { requests } = turnRequests({ model, resumeState: resumed([saidTurn("a")]) });
    const pages = ["1", "2", "3", "4", "5", "6", "7"].flatMap((page) => readStep(`p${page}`, page.repeat(120_000)));
    await requests.prepare([prompt, ...pages], undefined, unstopped());
    const request = requests.next([prompt, ...pages]);
    expect(sizeOf(request)).toBeLessThan(210_000);
    expect(resultsOf(request.messages).at(-1)).toBe("7".repeat(120_000));
    expect(textsOf(request.messages)).toEqual(["Ask a", "Answer a", "<context>", "And now?"]);
  });
});

/** The size of a request, and of each shorter one until there is none. */
const sizesUntilNone = async (requests: TurnRequests): Promise<number[]> => {
  const sizes = [sizeOf(requests.next([prompt]))];
  for (let request = await requests.shorter([prompt]); request; request = await requests.shorter([prompt]))
    sizes.push(sizeOf(request));
  return sizes;
};

describe("what the provider found too long", () => {
  const long = resumed([readTurn("a", [3_000, 3_000]), readTurn("b", [3_000])]);

  it("is sent shorter, and counts as too long from then on", async () => {
    const { keeper, requests } = turnRequests({ resumeState: long });
    const size = sizeOf(requests.next([prompt]));
    const shorter = await requests.shorter([prompt]);
    expect(sizeOf(shorter ?? requests.next([prompt]))).toBeLessThan(size / 2);
    expect(shorter).toEqual(requests.next([prompt]));
    expect(shorter?.dropsBlocks).toBe(true);
    const learned = keeper.saved.at(-1)?.facts.maxBytes ?? 0;
    expect([learned < size, learned > size * 0.8]).toEqual([true, true]);
  });

  it("stays so for the rest of the turn, even after a wait", async () => {
    const { keeper, requests } = turnRequests({ resumeState: long });
    await requests.shorter([prompt]);
    const grown = [prompt, ...readStep("p1", "y".repeat(6_000)), ...readStep("p2", "new")];
    await requests.prepare(grown, undefined, unstopped());
    expect(resultsOf(requests.next(grown).messages).at(-2)).toBe(REMOVED);
    const state = keeper.saved[1] ?? OPENED;
    const later = turnRequests({ resumeState: long, state });
    await later.requests.prepare(grown, undefined, unstopped());
    expect(later.requests.next(grown)).toEqual(requests.next(grown));
  });

  it("gets shorter each time it is refused, until nothing more can go", async () => {
    const { keeper, requests } = turnRequests({ resumeState: long });
    const sizes = await sizesUntilNone(requests);
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(textsOf(requests.next([prompt]).messages)).toEqual([
      expect.stringContaining("left out"),
      "<context>",
      "And now?",
    ]);
    // The last try, which left out nothing, taught nothing.
    const learned = keeper.saved.slice(0, -1).flatMap(({ facts }) => facts.maxBytes ?? []);
    expect(learned).toEqual(learned.toSorted((a, b) => b - a));
  });

  it("counts for nothing where nothing more can go: asked again as it is, it may be taken", async () => {
    const state = { ...OPENED, facts: { ...OPENED.facts, maxBytes: 9_000 } };
    const { keeper, requests } = turnRequests({ state });
    const steps = [asked("x".repeat(5_000)), ...readStep("p1", "new")];
    await requests.shorter(steps.slice(0, 1));
    expect(keeper.saved.at(-1)?.facts).toEqual(state.facts);
    await requests.prepare(steps, undefined, unstopped());
    expect(requests.next(steps).messages).toHaveLength(3);
  });

  it("leaves no word of what was tried in vain", async () => {
    const state = { ...OPENED, facts: { ...OPENED.facts, instructionsHash: "old" } };
    const text = "Be brief. ".repeat(2_000);
    const readInstructions = async () => ({ path: "AGENTS.md", text, hash: "new", isCut: false });
    const { keeper, requests } = turnRequests({ state, readInstructions });
    const before = requests.next([prompt]);
    expect(await requests.shorter([prompt])).toBeUndefined();
    expect(requests.next([prompt])).toEqual(before);
    expect(keeper.saved.at(-1)).toEqual(state);
  });

  it("by itself has no shorter one", async () => {
    expect(await turnRequests().requests.shorter([prompt])).toBeUndefined();
  });
});

describe("project instructions that no message says any more", () => {
  const state = { ...OPENED, facts: { ...OPENED.facts, instructionsHash: "h1" } };
  const reading = () => {
    const reads: string[] = [];
    const readInstructions = async () => {
      reads.push("AGENTS.md");
      return { path: "AGENTS.md", text: "Say moin.", hash: "h1", isCut: false };
    };
    return { reads, readInstructions };
  };
  /** Steps in which the model itself says much. */
  const talked = (...paths: readonly string[]) =>
    paths.flatMap((path) => {
      const [call = prompt, result = prompt] = readStep(path, "new");
      return [{ ...call, content: [text("y".repeat(8_000)), ...call.content] }, result];
    });
  const timesSaid = (requests: TurnRequests, current: readonly Message[]) =>
    JSON.stringify(requests.next(current).messages).split("Say moin.").length - 1;

  it("are said again each time, and read once", async () => {
    const { reads, readInstructions } = reading();
    const { requests } = turnRequests({ state, readInstructions });
    const first = [prompt, ...talked("p1")];
    await requests.prepare(first, undefined, unstopped());
    expect(timesSaid(requests, first)).toBe(1);
    const grown = [prompt, ...talked("p1", "p2", "p3")];
    await requests.prepare(grown, undefined, unstopped());
    expect(textsOf(requests.next(grown).messages).join()).toContain("first steps of this turn are left out");
    expect([timesSaid(requests, grown), reads]).toEqual([1, ["AGENTS.md"]]);
  });

  it("are said again by the next step where earlier turns are no longer sent", async () => {
    const { readInstructions } = reading();
    const resumeState = resumed([saidTurn("a")]);
    const { requests } = turnRequests({ state, readInstructions, resumeState });
    requests.plainer([prompt]);
    requests.plainer([prompt]);
    await requests.accept();
    await requests.prepare([prompt, ...steps], undefined, unstopped());
    expect(timesSaid(requests, [prompt, ...steps])).toBe(1);
  });
});

it("all tokens of a message are read again by the next", () => {
  const usage = { inputTokens: 1, cacheReadTokens: 20, cacheWriteTokens: 300, outputTokens: 4_000 };
  expect(tokensOf(usage)).toBe(4_321);
});

it("a model that writes no summaries is not asked for one", async () => {
  const model = modelWithoutSummaries();
  const turns = ["a", "b", "c", "d"].map((name) => saidTurn(name));
  const { keeper, requests } = turnRequests({ model, resumeState: resumed(turns) });
  const usage = { inputTokens: 9_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
  await requests.prepare([prompt], usage, unstopped());
  expect([model.compact, keeper.compactions]).toEqual([undefined, []]);
});
