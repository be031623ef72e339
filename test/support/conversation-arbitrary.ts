/** Conversations as the loop can leave them, for property tests: whole turns, and turns cut anywhere. */
import fc from "fast-check";
import type { ContentBlock, Message } from "../../src/model/messages.ts";
import { requestProblem } from "./model-server/messages-api-rules.ts";

/** One model message: what it thought, said and asked for. */
type Step = { readonly thinks: boolean; readonly says: readonly string[]; readonly calls: number };

const step: fc.Arbitrary<Step> = fc.record({
  thinks: fc.boolean(),
  says: fc.array(fc.oneof(fc.string({ maxLength: 200 }), fc.constantFrom("", " ", "\n")), { maxLength: 2 }),
  calls: fc.nat(3),
});

const callId = (turn: string, at: number, index: number): string => `toolu_${turn}_${at}_${index}`;

const answerOf = ({ thinks, says, calls }: Step, turn: string, at: number): Message => {
  const thinking: ContentBlock[] = thinks ? [{ type: "thinking", thinking: "Hm.", signature: "c2ln" }] : [];
  const texts = says.map((text): ContentBlock => ({ type: "text", text }));
  const uses = Array.from({ length: calls }, (_, index): ContentBlock => {
    return { type: "tool_use", id: callId(turn, at, index), name: "read_file", input: { path: `${index}.md` } };
  });
  return { role: "assistant", content: [...thinking, ...texts, ...uses] };
};

const resultsOf = ({ calls }: Step, turn: string, at: number, result: string): Message[] => {
  const content = Array.from({ length: calls }, (_, index): ContentBlock => {
    return { type: "tool_result", tool_use_id: callId(turn, at, index), content: result };
  });
  return calls === 0 ? [] : [{ role: "user", content }];
};

/** A prompt, then model messages; results follow those that called tools. `turn` keeps call ids apart. */
export const wholeTurn = (turn: string): fc.Arbitrary<Message[]> =>
  fc
    .record({ steps: fc.array(step, { maxLength: 5 }), result: fc.string({ maxLength: 500 }) })
    .map(({ steps, result }) => [
      { role: "user", content: [{ type: "text", text: `Prompt ${turn}` }] },
      ...steps.flatMap((one, at) => [answerOf(one, turn, at), ...resultsOf(one, turn, at, result)]),
    ]);

/** The same, ended anywhere behind its prompt: by an abort, a failure, a crash, or for want of tokens. */
export const cutTurn = (turn: string): fc.Arbitrary<Message[]> =>
  fc.tuple(wholeTurn(turn), fc.nat()).map(([messages, cut]) => messages.slice(0, 1 + (cut % messages.length)));

/** The API's complaint about a conversation, or undefined when it would accept it. It may end with the model's message, so it need not be a request yet. */
export const conversationProblem = (messages: readonly Message[]): string | undefined =>
  requestProblem({ model: "claude-sonnet-5-5", max_tokens: 1, stream: true, messages }, { off: ["prefill"] });
