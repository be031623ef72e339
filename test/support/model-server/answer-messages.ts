/** `POST /v1/messages` of the model server: finds the script, holds the request to the API's rules, plays the next reply. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { playReply, playWhole, sendJson } from "./play-reply.ts";
import type { RecordedRequest, Reply } from "./reply.ts";
import { summaryHeadProblem } from "./rules/compaction.ts";
import { asksForSummary, asksForTitle, type MessagesRequest } from "./rules/request-shape.ts";
import { invalid, type Refusal } from "./rules/rule.ts";
import type { ScriptedConversation } from "./scripted-conversation.ts";
import type { Scripts } from "./scripts.ts";

const Texts = z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]);
const Marked = z.object({ messages: z.array(z.object({ role: z.string(), content: Texts })) });

const Summarized = z.object({
  messages: z.tuple([z.object({ content: z.tuple([z.object({ signature: z.string() })], z.unknown()) })], z.unknown()),
});

/** The key of the newest marker in what the user said, or else of the summary at the start. */
const scriptKeyOf = (body: unknown, summaryKeys: ReadonlyMap<string, string>): string | undefined =>
  markedKeyOf(body) ?? summaryKeys.get(Summarized.safeParse(body).data?.messages[0].content[0].signature ?? "");

const markedKeyOf = (body: unknown): string | undefined => {
  const parsed = Marked.safeParse(body);
  if (!parsed.success) return undefined;
  const texts = parsed.data.messages
    .filter((message) => message.role === "user")
    .flatMap(({ content }) => (typeof content === "string" ? [content] : content.map((block) => block.text ?? "")));
  return [...texts.join("\n").matchAll(/\[script:([\w-]+)\]/g)].at(-1)?.[1];
};

/** A request's headers, names in lower case. */
export const headersOf = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));

/** Whether a request says who pays. */
export const hasCredential = (headers: Readonly<Record<string, string>>): boolean =>
  "x-api-key" in headers || "authorization" in headers;

/** Answers with an error as the API words it. */
export const refuse = (
  response: ServerResponse,
  status: number,
  type: string,
  message: string,
  details?: Refusal["details"],
): void =>
  sendJson(response, status, {
    type: "error",
    error: { type, message, ...(details !== undefined && { details }) },
    request_id: "req_scripted",
  });

/** Aborts when the connection closes before `response` is finished. */
export const leaveSignal = (response: ServerResponse): AbortSignal => {
  const left = new AbortController();
  response.on("close", () => {
    if (!response.writableFinished) left.abort();
  });
  return left.signal;
};

const answer = async (
  scripts: Scripts,
  conversation: ScriptedConversation,
  request: RecordedRequest,
  response: ServerResponse,
) => {
  const left = leaveSignal(response);
  left.addEventListener("abort", () => conversation.move(request, "client_left"));
  const { headers, body } = request;
  if (!hasCredential(headers)) return refuse(response, 401, "authentication_error", "x-api-key header is required");
  const violate = ({ status, type, message, details }: Refusal) => {
    conversation.violations.push(message);
    refuse(response, status, type, message, details);
  };
  if (!("anthropic-version" in headers)) return violate(invalid("anthropic-version: header is required"));
  const admission = scripts.api.admit(headers, body, conversation.rulesOff);
  if (admission.refusal !== undefined) return violate(admission.refusal);
  const { message } = admission;
  conversation.transformations.push(message.transformations);
  const asked = kindOf(admission.request);
  const advice = conversation.rulesOff.has("compactionHead") ? undefined : headAdvice(conversation, admission.request);
  if (advice !== undefined) conversation.violations.push(advice);
  const reply = conversation.repliesTo(asked).shift();
  // 400 and not 500: what is a mistake of the test must not hide behind retries.
  if (reply === undefined)
    return violate(invalid(`the script has no ${asked ?? "reply"} for request ${conversation.requests.length}`));
  const hold = async () => {
    conversation.move(request, "held");
    await conversation.hold(left);
    conversation.move(request, "answering");
  };
  message.countAfter(conversation.answered);
  if (reply.type === "stream") {
    conversation.answers.push(message.content);
    conversation.answered.push(body);
  }
  if (reply.type === "failure" || admission.request.stream === true)
    await playReply(reply, response, hold, left, message);
  else await playWhole(reply, response, hold, left, message);
  const [first] = message.content;
  if (first?.type === "compaction") scripts.summaryKeys.set(String(first.signature), conversation.key);
};

const kindOf = (request: MessagesRequest): Reply["answers"] =>
  asksForSummary(request) ? "compaction" : asksForTitle(request) ? "title" : undefined;

const headAdvice = (conversation: ScriptedConversation, request: MessagesRequest): string | undefined => {
  if (asksForTitle(request)) return undefined;
  const before = conversation.lastTurnCall;
  if (!asksForSummary(request)) conversation.lastTurnCall = request;
  return before === undefined ? undefined : summaryHeadProblem(request, before);
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
  const key = scriptKeyOf(body, scripts.summaryKeys);
  if (key === undefined) {
    scripts.unrouted("a request without [script:<key>] in any user text");
    return refuse(response, 400, "invalid_request_error", "No [script:<key>] in any user text.");
  }
  const conversation = scripts.of(key);
  const recorded = conversation.record(headersOf(request), body);
  await answer(scripts, conversation, recorded, response);
  conversation.move(recorded, "answered");
};
