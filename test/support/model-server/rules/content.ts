/** What the blocks of a request may be. Source: https://platform.claude.com/docs/en/api/messages and its errors. */
import type { Call } from "./call.ts";
import { isKnownKind } from "./fields.ts";
import { type Block, isThinking } from "./request-shape.ts";

type Placed = { readonly block: Block; readonly path: string; readonly role: string };

const placedBlocks = ({ request }: Call): Placed[] =>
  request.messages.flatMap(({ role, content }, at) =>
    content.map((block, index) => ({ block, path: `messages.${at}.content.${index}`, role })),
  );

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** Names of tools, where they are declared and where they were called. */
export const toolNamesProblem = (call: Call): string | undefined => {
  const tools = call.request.tools ?? [];
  const pattern = "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'";
  const declared = tools.findIndex((tool) => !TOOL_NAME.test(tool.name));
  if (declared !== -1) return `tools.${declared}.custom.name: ${pattern}`;
  if (new Set(tools.map((tool) => tool.name)).size < tools.length) return "tools: Tool names must be unique.";
  const called = placedBlocks(call).find(
    ({ block }) => block.type === "tool_use" && !TOOL_NAME.test(String(block.name)),
  );
  return called === undefined ? undefined : `${called.path}.tool_use.name: ${pattern}`;
};

const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

const isSchema = (part: unknown): part is Readonly<Record<string, unknown>> =>
  typeof part === "object" && part !== null && !Array.isArray(part);

/** A schema and all that are in it, in any place. */
const withInner = (schema: unknown): Readonly<Record<string, unknown>>[] => {
  if (Array.isArray(schema)) return schema.flatMap(withInner);
  return isSchema(schema) ? [schema, ...Object.values(schema).flatMap(withInner)] : [];
};

/** Words of earlier drafts of JSON Schema than 2020-12, which mean something else there or nothing. */
const isOfAnEarlierDraft = (schema: Readonly<Record<string, unknown>>): boolean =>
  typeof schema.exclusiveMinimum === "boolean" ||
  typeof schema.exclusiveMaximum === "boolean" ||
  (schema.type === "array" && Array.isArray(schema.items)) ||
  typeof schema.required === "boolean";

/**
 * Schemas of tools that are a choice of several at their top, have names that no field may have, or are of an earlier draft. Measured:
 * https://github.com/anthropics/claude-code/issues/79418
 */
export const toolSchemasProblem = ({ request: { tools = [] } }: Call): string | undefined => {
  for (const [at, { input_schema: schema }] of tools.entries()) {
    const path = `tools.${at}.custom.input_schema`;
    if (["oneOf", "allOf", "anyOf"].some((name) => Object.hasOwn(Object(schema), name)))
      return `${path}: input_schema does not support oneOf, allOf, or anyOf at the top level`;
    const inner = withInner(schema);
    const names = inner.flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : []));
    if (names.some((name) => !PROPERTY_NAME.test(name)))
      return `${path}.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`;
    if (inner.some(isOfAnEarlierDraft))
      return `${path}: JSON schema is invalid. It must match JSON Schema draft 2020-12`;
  }
  return undefined;
};

/**
 * Messages without content, and results that say only that they are errors. Only a last message of the model may be empty, and that is
 * refused as a prefill anyway.
 */
export const emptyContentProblem = (call: Call): string | undefined => {
  const { request } = call;
  const silent = placedBlocks(call).find(({ block }) => block.is_error === true && isEmpty(block.content));
  if (silent !== undefined) return `${silent.path}.tool_result: content cannot be empty if \`is_error\` is true`;
  const at = request.messages.findIndex(
    (message, index) =>
      message.content.length === 0 && !(message.role === "assistant" && index === request.messages.length - 1),
  );
  return at === -1
    ? undefined
    : `messages.${at}: all messages must have non-empty content except for the optional final assistant message (at messages.${at}.content)`;
};

const isEmpty = (content: unknown): boolean =>
  content === undefined || content === "" || (Array.isArray(content) && content.length === 0);

const blankIn = (blocks: readonly Block[]): boolean =>
  blocks.some((block) => block.type === "text" && String(block.text).trim() === "");

const innerTexts = (block: Block): Block[] =>
  block.type === "tool_result" && Array.isArray(block.content) ? block.content : [];

/** Texts of white space, or of nothing. */
export const blankTextProblem = ({ request }: Call): string | undefined => {
  const problem = "text content blocks must contain non-whitespace text";
  if (blankIn(request.system ?? [])) return `system: ${problem}`;
  const blocks = request.messages.flatMap(({ content }) => [...content, ...content.flatMap(innerTexts)]);
  return blankIn(blocks) ? `messages: ${problem}` : undefined;
};

/** Cache breakpoints a request may have: https://platform.claude.com/docs/en/build-with-claude/prompt-caching. */
const MAX_BREAKPOINTS = 4;

const hasBreakpoint = (part: Readonly<Record<string, unknown>>): boolean =>
  part.cache_control !== undefined && part.cache_control !== null;

/** Too many breakpoints, or one on thinking. */
export const cacheControlProblem = (call: Call): string | undefined => {
  const { request } = call;
  const placed = placedBlocks(call);
  const onThinking = placed.find(({ block }) => isThinking(block) && hasBreakpoint(block));
  if (onThinking !== undefined)
    return `${onThinking.path}.${onThinking.block.type}.cache_control: Extra inputs are not permitted`;
  const inner = placed.flatMap(({ block }) => innerTexts(block));
  const parts = [
    request,
    ...(request.system ?? []),
    ...(request.tools ?? []),
    ...placed.map(({ block }) => block),
    ...inner,
  ];
  const found = parts.filter(hasBreakpoint).length;
  return found > MAX_BREAKPOINTS
    ? `A maximum of 4 blocks with cache_control may be provided. Found ${found}.`
    : undefined;
};

/** Blocks of kinds that only the server makes: they come back exactly as it sent them. */
export const opaqueProblem = (call: Call): string | undefined => {
  const { made } = call;
  if (made === undefined) return undefined;
  const forged = placedBlocks(call).find(
    ({ block, role }) => !isKnownKind(block.type) && !(role === "assistant" && made.hasMade(block)),
  );
  if (forged === undefined) return undefined;
  const { type } = forged.block;
  return `${forged.path}: Input tag '${type}' found using 'type' does not match any of the expected tags, or the block is not one that was sent`;
};
