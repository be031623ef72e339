/** What can be wrong with a request before its body is interpreted: credentials, betas, text that is not Unicode. */
import type { Call } from "./call.ts";
import type { Refusal } from "./rule.ts";

/** Values the SDK knows (`AnthropicBeta` in its resources/beta/beta.d.ts). */
const KNOWN_BETAS: ReadonlySet<string> = new Set([
  ...["message-batches-2024-09-24", "prompt-caching-2024-07-31", "computer-use-2024-10-22", "computer-use-2025-01-24"],
  ...["computer-use-2025-11-24", "pdfs-2024-09-25", "token-counting-2024-11-01", "token-efficient-tools-2025-02-19"],
  ...["output-128k-2025-02-19", "output-300k-2026-03-24", "files-api-2025-04-14", "mcp-client-2025-04-04"],
  ...["mcp-client-2025-11-20", "mcp-client-2026-09-15", "dev-full-thinking-2025-05-14", "code-execution-2025-05-22"],
  ...["interleaved-thinking-2025-05-14", "extended-cache-ttl-2025-04-11", "context-1m-2025-08-07"],
  ...["context-management-2025-06-27", "model-context-window-exceeded-2025-08-26", "skills-2025-10-02"],
  ...["fast-mode-2026-02-01", "user-profiles-2026-03-24", "user-profiles-2026-08-18", "user-profiles-2026-09-04"],
  ...["user-profiles-billing-2026-10-01", "advisor-tool-2026-03-01", "managed-agents-2026-04-01"],
  ...["cache-diagnosis-2026-04-07", "dreaming-2026-04-21", "thinking-token-count-2026-05-13"],
  ...["server-side-fallback-2026-06-01", "server-side-fallback-2026-07-01", "fallback-credit-2026-06-01"],
  ...["fallback-credit-2026-07-01", "agent-memory-2026-07-22", "mid-conversation-tool-changes-2026-07-01"],
  ...["mid-conversation-output-config-2026-07-01", "mid-conversation-system-clear-at-2026-08-21"],
  ...["compact-2026-01-12", "compact-2026-09-04", "mcp-tunnels-2026-06-22", "structured-outputs-2025-11-13"],
  ...["task-budgets-2026-03-13", "thinking-display-updates-2026-08-18", "thinking-binding-controls-2026-08-01"],
  ...["inline-tools-2026-09-15", "message-threads-2026-08-12", "oauth-2025-04-20"],
]);

/** A subscription's token. Its use outside the vendor's own programs is not supported; the words are the API's. */
export const oauthProblem = (headers: Call["headers"]): Refusal | undefined =>
  /^Bearer sk-ant-oat/i.test(headers.authorization ?? "")
    ? {
        status: 401,
        type: "authentication_error",
        message: "OAuth authentication is currently not supported.",
      }
    : undefined;

/** Beta values that do not exist. */
export const betasProblem = (betas: Call["betas"]): string | undefined => {
  const unknown = [...betas].filter((value) => !KNOWN_BETAS.has(value));
  if (unknown.length === 0) return undefined;
  const values = unknown.map((value) => `\`${value}\``).join(", ");
  return `Unexpected value(s) ${values} for the \`anthropic-beta\` header. Please consult our documentation at platform.claude.com/docs or try again without the header.`;
};

const isWellFormed = (value: unknown): boolean => {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner));
};

/** Half of a surrogate pair anywhere in the body: JavaScript writes it, strict parsers of JSON refuse it. */
export const surrogatesProblem = ({ request }: Call): string | undefined =>
  isWellFormed(request) ? undefined : "The request body is not valid JSON: no low surrogate in string";
