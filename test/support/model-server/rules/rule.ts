/** What a rule is: a reason of the real API to refuse a request, with a name to switch it off by. */
import { z } from "zod";

/** Every rule that `POST /rules/<key>` can switch off. Each is explained where it is written, in this folder. */
export const RuleName = z.enum([
  "oauth",
  "surrogates",
  "betas",
  "fields",
  "models",
  "length",
  "maxTokens",
  "thinking",
  "effort",
  "sampling",
  "toolChoice",
  "toolNames",
  "toolSchemas",
  "emptyContent",
  "blankText",
  "cacheControl",
  "roles",
  "prefill",
  "lastAnswer",
  "pairing",
  "opaque",
  "compaction",
  "compactionHead",
  "signatures",
  "prefix",
]);
export type RuleName = z.infer<typeof RuleName>;

/** An error answer of the API: its status, `error.type`, `error.message` and, where it has one, `error.details`. */
export type Refusal = {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

/** A refusal of the usual kind: 400 `invalid_request_error`. */
export const invalid = (message: string, errorCode?: string): Refusal => ({
  status: 400,
  type: "invalid_request_error",
  message,
  ...(errorCode !== undefined && { details: { error_code: errorCode } }),
});
