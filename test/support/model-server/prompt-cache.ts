/**
 * What a request costs with a prompt cache: the prefix that an earlier request of the script ended in a breakpoint is read,
 * the rest up to the last breakpoint is written. A token is four bytes; no prefix is too small to be kept.
 * Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
import { digest } from "./prefix.ts";
import { type Block, type MessagesRequest, parseRequest } from "./rules/request-shape.ts";

/** How many blocks before a breakpoint the API searches for a cached prefix. */
const LOOKBACK_BLOCKS = 20;

/** Bytes of a token, roughly. */
export const BYTES_PER_TOKEN = 4;

/** A prompt up to and with one of its parts. */
type Prefix = { readonly hash: string; readonly bytes: number; readonly isBreakpoint: boolean };

type Part = Readonly<Record<string, unknown>>;

const isMarked = (part: Part): boolean => part.cache_control !== undefined && part.cache_control !== null;

const innerParts = ({ content }: Part): Part[] => (Array.isArray(content) ? content : []);

/** JSON without breakpoints: their places must not change what they mark. */
const unmarked = (part: Part): string =>
  JSON.stringify(part, (name, value: unknown) => (name === "cache_control" ? undefined : value));

const prefixesOf = (request: MessagesRequest): Prefix[] => {
  const { model, tools = [], system = [], messages, thinking, tool_choice, output_config } = request;
  // These keep tools and system cached and start the messages over.
  const mode = JSON.stringify([thinking?.type, tool_choice, output_config?.effort]);
  const parts: Part[] = [
    ...tools,
    ...system,
    ...messages.flatMap(({ role, content }, at) =>
      content.map((block: Block) => ({ ...block, [`of ${role}`]: at === 0 ? mode : "" })),
    ),
  ];
  let hash = digest(model);
  let bytes = 0;
  return parts.map((part, at) => {
    const text = unmarked(part);
    hash = digest([hash, text]);
    bytes += Buffer.byteLength(text);
    const isAutomatic = at === parts.length - 1 && isMarked(request);
    return { hash, bytes, isBreakpoint: isAutomatic || isMarked(part) || innerParts(part).some(isMarked) };
  });
};

const tokensOf = (prefix: Prefix | undefined): number => Math.ceil((prefix?.bytes ?? 0) / BYTES_PER_TOKEN);

/** Input tokens of a request, as `usage` splits them. */
export type CountedInput = { readonly input: number; readonly cacheRead: number; readonly cacheWrite: number };

/** Counts a request after those that were answered before it. */
export const countInput = (request: MessagesRequest, earlier: readonly unknown[]): CountedInput => {
  const cached = new Set(
    earlier.flatMap((body) => {
      const parsed = parseRequest(body);
      return typeof parsed === "string"
        ? []
        : prefixesOf(parsed).flatMap(({ hash, isBreakpoint }) => (isBreakpoint ? [hash] : []));
    }),
  );
  const prefixes = prefixesOf(request);
  const breakpoints = [...prefixes.keys()].filter((at) => prefixes[at]?.isBreakpoint);
  const isNear = (at: number) =>
    breakpoints.some((breakpoint) => breakpoint >= at && breakpoint - at <= LOOKBACK_BLOCKS);
  const read = tokensOf(prefixes.findLast(({ hash }, at) => cached.has(hash) && isNear(at)));
  const marked = tokensOf(prefixes[breakpoints.at(-1) ?? -1]);
  return { input: tokensOf(prefixes.at(-1)) - marked, cacheRead: read, cacheWrite: marked - read };
};

/** Output tokens of an answer. */
export const countOutput = (content: readonly Block[]): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(content)) / BYTES_PER_TOKEN);
