/**
 * What a thinking block is bound to: `system`, `tools` and every block before it, thinking left out. Messages of one role
 * that follow each other are one turn, as the API merges them; `cache_control` and blank texts do not count.
 * Source: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
 */
import { createHash } from "node:crypto";
import { type Block, isThinking, type Message, type MessagesRequest } from "./rules/request-shape.ts";

/** One thing before a block: a block or the border of a turn. `path` is its place in the request. */
export type PrefixEntry = { readonly hash: string; readonly path: string };

/** A short fingerprint of any JSON value. */
export const digest = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 20);

const isBlank = (block: Block): boolean => block.type === "text" && String(block.text).trim() === "";

const innerBlocks = (content: unknown): unknown =>
  Array.isArray(content)
    ? content.map((inner) => (typeof inner === "object" && inner !== null ? canonical({ type: "", ...inner }) : inner))
    : content;

/** A block without the parts that may change: `cache_control`, fields that are null, and the order of its own fields. */
export const canonical = (block: Block): Readonly<Record<string, unknown>> => {
  const fields = Object.entries(block)
    .filter(([name, value]) => name !== "cache_control" && value !== null && value !== undefined)
    .map(([name, value]) => [name, name === "content" ? innerBlocks(value) : value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields);
};

/** Fingerprints of what precedes all messages. Tools that are loaded later do not count. */
export const headOf = ({ system = [], tools = [] }: MessagesRequest): { system: string; tools: string } => ({
  system: digest(system.map(canonical)),
  tools: digest(
    tools.filter((tool) => tool.defer_loading !== true).map((tool) => canonical({ type: "custom", ...tool })),
  ),
});

/** Grows entry by entry, block by block of a conversation. */
export class PrefixBuilder {
  readonly entries: PrefixEntry[];
  #role: string | undefined;

  /** `earlier` is what a summary replaces; the first message after it opens a turn, whatever its role. */
  constructor(earlier: readonly PrefixEntry[] = []) {
    this.entries = [...earlier];
  }

  /** Adds a block at `path` in a message of `role`. Thinking, blank texts and the summary itself leave no trace. */
  add(role: string, block: Block, path: string): void {
    if (isThinking(block) || isBlank(block) || block.type === "compaction") return;
    if (role !== this.#role) this.entries.push({ hash: `turn:${role}`, path });
    this.#role = role;
    this.entries.push({ hash: digest(canonical(block)), path });
  }

  /** Adds all blocks of the messages; `visit` sees each one before it is added, with the block before it in its message. */
  addAll(
    messages: readonly Message[],
    visit: (block: Block, path: string, last: Block | undefined) => void = () => undefined,
  ): void {
    for (const [at, { role, content }] of messages.entries()) {
      for (const [index, block] of content.entries()) {
        const path = `messages.${at}.content.${index}`;
        visit(block, path, content[index - 1]);
        this.add(role, block, path);
      }
    }
  }
}
