/**
 * The models the server knows, with the figures and capabilities that its rules need.
 * Source: https://platform.claude.com/docs/en/models/overview and the "What's new" page of each model.
 */

/** A model's own rules. Token figures are those of the Models API. */
export type KnownModel = {
  readonly id: string;
  /** A shorter name that requests may use. Lists and answers have the `id`. */
  readonly alias?: string;
  readonly displayName: string;
  readonly line: "haiku" | "sonnet" | "opus" | "fable";
  readonly createdAt: string;
  readonly maxInputTokens: number;
  readonly maxTokens: number;
  /** `thinking.type` values it accepts. */
  readonly thinkingTypes: readonly string[];
  /** `output_config.effort` values it accepts. */
  readonly efforts: readonly string[];
  /** Of Claude 5: no prefill and no sampling but the default; system messages, summaries on request, thinking not shown unasked. */
  readonly isClaude5: boolean;
  /** Its thinking is bound to what precedes it. */
  readonly hasPrefixCheck: boolean;
  /** A request can force it to call a tool. */
  readonly canBeForced: boolean;
  /** Models whose thinking it can read, as far as they are documented. Blocks of others are dropped without an error. */
  readonly reads: readonly string[];
};

/** What the models since Claude 5 have in common. */
const CLAUDE_5 = {
  ...{ maxInputTokens: 1_000_000, maxTokens: 128_000, efforts: ["low", "medium", "high", "xhigh", "max"] },
  isClaude5: true,
} as const;

/** Newest first, as the Models API lists them. */
export const KNOWN_MODELS: readonly KnownModel[] = [
  {
    ...{ id: "claude-fable-5-2", displayName: "Claude Fable 5.2", line: "fable", createdAt: "2026-11-09T00:00:00Z" },
    ...{ ...CLAUDE_5, thinkingTypes: ["adaptive"], hasPrefixCheck: true, canBeForced: false },
    reads: ["claude-fable-5-2"],
  },
  {
    ...{ id: "claude-haiku-5-5", displayName: "Claude Haiku 5.5", line: "haiku", createdAt: "2026-10-07T00:00:00Z" },
    ...{ ...CLAUDE_5, thinkingTypes: ["adaptive", "disabled"], hasPrefixCheck: true, canBeForced: true },
    reads: ["claude-haiku-5-5"],
  },
  {
    ...{ id: "claude-sonnet-5-5", displayName: "Claude Sonnet 5.5", line: "sonnet", createdAt: "2026-09-28T00:00:00Z" },
    ...{ ...CLAUDE_5, thinkingTypes: ["adaptive", "between_tools"], hasPrefixCheck: true, canBeForced: false },
    reads: ["claude-sonnet-5-5", "claude-haiku-4-5-20251001"],
  },
  {
    ...{ id: "claude-opus-5-5", displayName: "Claude Opus 5.5", line: "opus", createdAt: "2026-09-21T00:00:00Z" },
    ...{ ...CLAUDE_5, thinkingTypes: ["adaptive"], hasPrefixCheck: true, canBeForced: false },
    reads: ["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-4-5-20251001"],
  },
  {
    ...{ id: "claude-fable-5-1", displayName: "Claude Fable 5.1", line: "fable", createdAt: "2026-09-01T00:00:00Z" },
    ...{ ...CLAUDE_5, thinkingTypes: ["adaptive"], hasPrefixCheck: true, canBeForced: false },
    reads: ["claude-fable-5-1", "claude-opus-5", "claude-opus-5-5"],
  },
  {
    ...{ id: "claude-opus-5", displayName: "Claude Opus 5", line: "opus", createdAt: "2026-07-24T00:00:00Z" },
    ...{ ...CLAUDE_5, thinkingTypes: ["adaptive", "disabled"], hasPrefixCheck: false, canBeForced: true },
    reads: ["claude-opus-5"],
  },
  {
    ...{ id: "claude-sonnet-5", displayName: "Claude Sonnet 5", line: "sonnet", createdAt: "2026-06-30T00:00:00Z" },
    ...{ ...CLAUDE_5, thinkingTypes: ["adaptive", "disabled"], hasPrefixCheck: false, canBeForced: true },
    reads: ["claude-sonnet-5"],
  },
  {
    id: "claude-haiku-4-5-20251001",
    alias: "claude-haiku-4-5",
    displayName: "Claude Haiku 4.5",
    line: "haiku",
    createdAt: "2025-10-01T00:00:00Z",
    maxInputTokens: 200_000,
    maxTokens: 64_000,
    thinkingTypes: ["enabled", "disabled"],
    efforts: [],
    isClaude5: false,
    hasPrefixCheck: false,
    canBeForced: true,
    reads: ["claude-haiku-4-5-20251001"],
  },
];

/** The model of this id, or undefined when the API would not find it. */
export const modelOf = (id: string): KnownModel | undefined =>
  KNOWN_MODELS.find((model) => model.id === id || model.alias === id);
