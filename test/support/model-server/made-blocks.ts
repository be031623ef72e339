/**
 * What the server has made itself and can recognize: signed thinking with what it is bound to, blocks of kinds that only
 * it may make, and answers it paused. One for all scripts of a server, because a conversation may change its script.
 */
import { canonical, digest, type PrefixEntry } from "./prefix.ts";
import type { Block } from "./rules/request-shape.ts";

/** What a thinking block was made behind. */
export type Binding = {
  /** The text as it was sent; empty where it was left out. Undefined for redacted thinking. */
  readonly text: string | undefined;
  readonly model: string;
  readonly system: string;
  readonly tools: string;
  readonly entries: readonly PrefixEntry[];
  /** The thinking block before it, as the model read it. */
  readonly before: string | undefined;
  /** The thinking block that it followed directly, in the same message; undefined where something else was between. */
  readonly neighbour: string | undefined;
  /** The signature of the summary at the start; undefined where the whole conversation was sent. */
  readonly summary: string | undefined;
};

/** A summary the server wrote, and what it replaces. */
export type Summary = {
  readonly signature: string;
  readonly content: string;
  readonly system: string;
  readonly tools: string;
  /** Whether the model that wrote it keeps thinking valid. */
  readonly keepsThinking: boolean;
  /** Everything it summarizes, including what an earlier summary had replaced. */
  readonly entries: readonly PrefixEntry[];
  /** The summary it summarizes in turn. */
  readonly earlier: Summary | undefined;
};

/** The field of a thinking block that proves where it comes from. */
export const proofOf = (block: Block): string =>
  String(block.type === "redacted_thinking" ? block.data : block.signature);

/** Everything the server has made. */
export class MadeBlocks {
  readonly #bindings = new Map<string, Binding[]>();
  readonly #opaque = new Set<string>();
  readonly #paused = new Set<string>();
  readonly #summaries = new Map<string, Summary>();

  /** A signature no one can guess. */
  newSignature(): string {
    return Buffer.from(`${crypto.randomUUID()}${crypto.randomUUID()}`).toString("base64");
  }

  /** Keeps what a signature, or redacted thinking, is bound to. The same redacted data can be made more than once. */
  bind(proof: string, binding: Binding): void {
    this.#bindings.set(proof, [...this.bindings(proof), binding]);
  }

  /** All places where thinking with this proof was made; none for a forged one. */
  bindings(proof: string): readonly Binding[] {
    return this.#bindings.get(proof) ?? [];
  }

  /** Keeps a block of a kind that clients cannot make up. */
  keepOpaque(block: Block): void {
    this.#opaque.add(exact(block));
  }

  hasMade(block: Block): boolean {
    return this.#opaque.has(exact(block));
  }

  keepSummary(summary: Summary): void {
    this.#summaries.set(summary.signature, summary);
  }

  /** The summary of this signature; undefined for a forged one. */
  summary(signature: unknown): Summary | undefined {
    return this.#summaries.get(String(signature));
  }

  /** Keeps an answer that ended with `pause_turn`, so that it may come back as the last message. */
  keepPaused(content: readonly Block[]): void {
    this.#paused.add(lastBlock(content));
  }

  hasPaused(content: readonly Block[]): boolean {
    return this.#paused.has(lastBlock(content));
  }
}

/** All of a block but the order of its fields and its cache breakpoint. */
const exact = ({ cache_control: _, ...block }: Block): string =>
  digest(Object.entries(block).sort(([a], [b]) => (a < b ? -1 : 1)));

const lastBlock = (content: readonly Block[]): string => {
  const last = content.at(-1);
  // Blanks at the end must not come back.
  const trimmed = last?.type === "text" ? { ...last, text: String(last.text).trimEnd() } : last;
  return digest(trimmed === undefined ? null : canonical(trimmed));
};
