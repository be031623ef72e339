/**
 * The model provider of the load suite, in a worker of its own: it speaks the Messages API over real HTTP and, unlike the scripted
 * one of the tests, keeps no requests, so that a soak measures the product's memory and not the provider's.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { parentPort } from "node:worker_threads";
import { z } from "zod";
import { callTool, say } from "../support/model-script.ts";
import { headersOf, leaveSignal, refuse } from "../support/model-server/answer-messages.ts";
import { requestProblem } from "../support/model-server/messages-api-rules.ts";
import { playReply, sendJson } from "../support/model-server/play-reply.ts";
import type { StreamReply } from "../support/model-server/reply.ts";
import { holdBefore } from "../support/model-troubles.ts";
import { type LoadPrompt, readPrompts, saidAfter } from "./load-prompt.ts";
import type { ModelCounts } from "./model-counts.ts";

/** Problems that are kept; one is enough to fail. */
const MAX_PROBLEMS = 20;

const Block = z.looseObject({ type: z.string(), text: z.string().optional() });
const Asked = z.object({ messages: z.array(z.object({ role: z.string(), content: z.array(Block) })) });
type Message = z.infer<typeof Asked>["messages"][number];

const counts: ModelCounts = { asked: 0, problems: [] };
const gates = new Map<string, PromiseWithResolvers<void>>();

/** Created by whichever comes first: the call that waits, or the one that opens it. */
const gateOf = (name: string): PromiseWithResolvers<void> => {
  const gate = gates.get(name) ?? Promise.withResolvers<void>();
  gates.set(name, gate);
  return gate;
};

const promptsOf = (message: Message): LoadPrompt[] =>
  message.role === "user" ? message.content.flatMap(({ text }) => readPrompts(text ?? "")) : [];

/** A call first, if the prompt asks for one; the text once its result is there. */
const replyTo = (messages: readonly Message[], prompt: LoadPrompt): StreamReply => {
  const isAnswered = messages.at(-1)?.content.some(({ type }) => type === "tool_result") === true;
  if (prompt.call !== undefined && !isAnswered) return callTool(prompt.call, {});
  const turns = messages.flatMap(promptsOf).map(({ turn }) => turn);
  return say(saidAfter(turns) + "word ".repeat(prompt.deltas), { deltas: prompt.deltas, delayMs: prompt.delayMs });
};

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const left = leaveSignal(response);
  const body: unknown = await json(request);
  const { messages } = Asked.parse(body);
  const prompt = messages.flatMap(promptsOf).at(-1);
  const problem = prompt === undefined ? "a call of no turn" : requestProblem(body, { headers: headersOf(request) });
  counts.asked += 1;
  if (prompt === undefined || problem !== undefined) {
    if (counts.problems.length < MAX_PROBLEMS) counts.problems.push(`the model was sent ${problem}`);
    return refuse(response, 400, "invalid_request_error", String(problem));
  }
  const reply = replyTo(messages, prompt);
  const { gate } = prompt;
  if (gate === undefined) return playReply(reply, response, async () => {}, left);
  const isLeft = new Promise((resolve) => left.addEventListener("abort", resolve));
  await playReply(holdBefore(reply), response, () => Promise.race([gateOf(gate).promise, isLeft]), left);
};

const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [, first, name = ""] = (request.url ?? "/").split("/");
  if (first === "v1") return answer(request, response);
  if (first === "open") gateOf(name).resolve();
  sendJson(response, 200, counts);
};

const server = createServer((request, response) => {
  // It shows as a run that failed.
  route(request, response).catch(() => response.destroy());
});
server.listen(0, "127.0.0.1", () => {
  const { port } = z.object({ port: z.int() }).parse(server.address());
  parentPort?.postMessage(`http://127.0.0.1:${port}`);
});
