/** `POST /v1/messages` of the model server: finds the script, holds the request to the API's rules, plays the next reply. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { requestProblem } from "./messages-api-rules.ts";
import { playReply, sendJson } from "./play-reply.ts";
import type { RecordedRequest } from "./reply.ts";
import type { ScriptedConversation } from "./scripted-conversation.ts";
import type { Scripts } from "./scripts.ts";

const Marked = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.array(z.object({ text: z.string().optional() })) })),
});

/** The key of the newest marker in what the user said. */
const scriptKeyOf = (body: unknown): string | undefined => {
  const parsed = Marked.safeParse(body);
  if (!parsed.success) return undefined;
  const texts = parsed.data.messages
    .filter((message) => message.role === "user")
    .flatMap((message) => message.content.map((block) => block.text ?? ""));
  return [...texts.join("\n").matchAll(/\[script:([\w-]+)\]/g)].at(-1)?.[1];
};

const headersOf = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));

/** Answers with an error as the API words it. */
export const refuse = (response: ServerResponse, status: number, type: string, message: string): void =>
  sendJson(response, status, { type: "error", error: { type, message }, request_id: "req_scripted" });

/** Aborts when the connection closes before `response` is finished. */
export const leaveSignal = (response: ServerResponse): AbortSignal => {
  const left = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) left.abort();
  });
  return left.signal;
};

const answer = async (conversation: ScriptedConversation, request: RecordedRequest, response: ServerResponse) => {
  const left = leaveSignal(response);
  left.addEventListener("abort", () => conversation.move(request, "client_left"));
  const { headers, body } = request;
  if (!("x-api-key" in headers || "authorization" in headers))
    return refuse(response, 401, "authentication_error", "x-api-key header is required");
  const violate = (problem: string) => {
    conversation.violations.push(problem);
    refuse(response, 400, "invalid_request_error", problem);
  };
  if (!("anthropic-version" in headers)) return violate("anthropic-version: header is required");
  const problem = requestProblem(body);
  if (problem !== undefined) return violate(problem);
  const reply = conversation.replies.shift();
  // 400 and not 500: what is a mistake of the test must not hide behind retries.
  if (reply === undefined) return violate(`the script has no reply for request ${conversation.requests.length}`);
  const hold = async () => {
    conversation.move(request, "held");
    await conversation.hold(left);
    conversation.move(request, "answering");
  };
  await playReply(reply, response, hold, left);
};

/** Answers one model call. What the API would refuse is refused, and kept as a violation for the test to see. */
export const answerMessages = async (
  scripts: Scripts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const body = z
    .record(z.string(), z.unknown())
    .catch({})
    .parse(await json(request));
  const key = scriptKeyOf(body);
  if (key === undefined) {
    scripts.unrouted("a request without [script:<key>] in any user text");
    return refuse(response, 400, "invalid_request_error", "No [script:<key>] in any user text.");
  }
  const conversation = scripts.of(key);
  const recorded = conversation.record(headersOf(request), body);
  await answer(conversation, recorded, response);
  conversation.move(recorded, "answered");
};
