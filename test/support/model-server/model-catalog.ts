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
  readonly line: "haiku" | "sonnet" | "opus";
  readonly createdAt: string;
  readonly maxInputTokens: number;
  readonly maxTokens: number;
  /** `thinking.type` values it accepts. */
  readonly thinkingTypes: readonly string[];
  /** `output_config.effort` values it accepts. */
  readonly efforts: readonly string[];
  /** Of a 5.5 model: thinking is bound to what precedes it, tools cannot be forced, sampling cannot be changed. */
  readonly isCurrent: boolean;
  /** Models whose thinking it can read. Blocks of others are dropped without an error. */
  readonly reads: readonly string[];
};

const ALL_EFFORTS = ["low", "medium", "high", "xhigh", "max"];

/** Newest first, as the Models API lists them. */
export const KNOWN_MODELS: readonly KnownModel[] = [
  {
    id: "claude-sonnet-5-5",
    displayName: "Claude Sonnet 5.5",
    line: "sonnet",
    createdAt: "2026-09-28T00:00:00Z",
    maxInputTokens: 1_000_000,
    maxTokens: 128_000,
    thinkingTypes: ["adaptive", "between_tools"],
    efforts: ALL_EFFORTS,
    isCurrent: true,
    reads: ["claude-sonnet-5-5", "claude-haiku-4-5-20251001"],
  },
  {
    id: "claude-opus-5-5",
    displayName: "Claude Opus 5.5",
    line: "opus",
    createdAt: "2026-09-21T00:00:00Z",
    maxInputTokens: 1_000_000,
    maxTokens: 128_000,
    thinkingTypes: ["adaptive"],
    efforts: ALL_EFFORTS,
    isCurrent: true,
    reads: ["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-4-5-20251001"],
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
    isCurrent: false,
    reads: ["claude-haiku-4-5-20251001"],
  },
];

/** The model of this id, or undefined when the API would not find it. */
export const modelOf = (id: string): KnownModel | undefined =>
  KNOWN_MODELS.find((model) => model.id === id || model.alias === id);
