/**
 * A request as far as the rules read it: JSON types only, so that each rule can be switched off by itself. A content that is
 * a string is the one text block it is short for.
 */
import { z } from "zod";

const Block = z.looseObject({ type: z.string() });
/** Any content block. */
export type Block = z.infer<typeof Block>;

const Content = z
  .union([z.string(), z.array(Block)])
  .transform((content): Block[] => (typeof content === "string" ? [{ type: "text", text: content }] : content));

const Message = z.looseObject({ role: z.string(), content: Content });
/** A message with its content as blocks. */
export type Message = z.infer<typeof Message>;

const Tool = z.looseObject({ name: z.string() });

/** The body of `POST /v1/messages`. */
export const MessagesRequest = z.looseObject({
  model: z.string(),
  max_tokens: z.number(),
  messages: z.array(Message),
  system: Content.optional(),
  tools: z.array(Tool).optional(),
  stream: z.boolean().optional(),
  thinking: z.looseObject({ type: z.string() }).nullish(),
  output_config: z.looseObject({}).nullish(),
  compaction: z.looseObject({ type: z.string() }).nullish(),
  tool_choice: z.looseObject({ type: z.string() }).nullish(),
});
export type MessagesRequest = z.infer<typeof MessagesRequest>;

/** The first complaint of a parser in the API's manner: a path, a colon, what is wrong there. */
export const issueText = (error: z.ZodError, at: readonly PropertyKey[] = []): string => {
  const issue = error.issues[0];
  const path = [...at, ...(issue?.path ?? [])];
  if (issue?.code === "unrecognized_keys")
    return `${[...path, issue.keys[0] ?? ""].join(".")}: Extra inputs are not permitted`;
  return `${path.join(".")}: ${issue?.message}`;
};

/** Whether a block is the model's thinking, readable or not. */
export const isThinking = ({ type }: Block): boolean => type === "thinking" || type === "redacted_thinking";

/** Whether the request asks for a summary and not for an answer. */
export const asksForSummary = ({ compaction }: MessagesRequest): boolean =>
  compaction !== undefined && compaction !== null;

/** Whether the request asks for a chat's title, which its rules say in their first sentence. */
export const asksForTitle = ({ system, tools }: MessagesRequest): boolean =>
  (tools ?? []).length === 0 && /^Write a title for a chat\./.test(String(system?.[0]?.text));

/** What a request looks like to the rules; a text says which part of it has the wrong JSON type. */
export const parseRequest = (body: unknown): MessagesRequest | string => {
  const parsed = MessagesRequest.safeParse(body);
  return parsed.success ? parsed.data : issueText(parsed.error);
};
