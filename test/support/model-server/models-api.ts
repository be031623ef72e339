/**
 * `GET /v1/models` and `GET /v1/models/<id>`. Tests say what is answered, for all or for one credential, because these
 * requests name no script. Source: https://platform.claude.com/docs/en/api/beta/models/list and the SDK's `BetaModelInfo`.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { hasCredential, headersOf, leaveSignal, refuse } from "./answer-messages.ts";
import { KNOWN_MODELS, type KnownModel } from "./model-catalog.ts";
import { sendJson } from "./play-reply.ts";
import type { ModelsRequest, ModelsSetting } from "./reply.ts";
import { betasOf } from "./rules/call.ts";
import { betasProblem, oauthProblem } from "./rules/headers-and-text.ts";
import { invalid, type Refusal } from "./rules/rule.ts";

const is = (supported: boolean) => ({ supported });

const capabilitiesOf = ({ thinkingTypes, efforts, isClaude5 }: KnownModel, isCompactBeta: boolean) => ({
  batch: is(true),
  citations: is(true),
  code_execution: is(true),
  ...(isCompactBeta && { compaction: { ...is(isClaude5), summarize: is(isClaude5) } }),
  context_management: {
    ...is(true),
    clear_thinking_20251015: is(true),
    clear_tool_uses_20250919: is(true),
    compact_20260112: is(isClaude5),
  },
  effort: {
    ...is(efforts.length > 0),
    ...Object.fromEntries(
      ["low", "medium", "high", "xhigh", "max"].map((level) => [level, is(efforts.includes(level))]),
    ),
  },
  image_input: is(true),
  pdf_input: is(true),
  server_tools: { ...is(true), code_execution: is(true), web_search: is(true) },
  structured_outputs: is(true),
  thinking: {
    ...is(true),
    types: Object.fromEntries(
      ["adaptive", "between_tools", "disabled", "enabled"].map((type) => [type, is(thinkingTypes.includes(type))]),
    ),
  },
});

const infoOf = (model: KnownModel, isCompactBeta: boolean): Readonly<Record<string, unknown>> => ({
  type: "model",
  id: model.id,
  display_name: model.displayName,
  line: model.line,
  created_at: model.createdAt,
  lifecycle: "active",
  deprecated_at: null,
  retires_at: null,
  max_input_tokens: model.maxInputTokens,
  max_tokens: model.maxTokens,
  allowed_fallback_models: [],
  capabilities: capabilitiesOf(model, isCompactBeta),
});

const listOf = ({ models = {} }: ModelsSetting, isCompactBeta: boolean): Readonly<Record<string, unknown>>[] => {
  const known = KNOWN_MODELS.map((model) => infoOf(model, isCompactBeta));
  const ids = [...new Set([...known.map(({ id }) => String(id)), ...Object.keys(models)])];
  return ids.flatMap((id) => {
    const own = models[id];
    if (own === null) return [];
    return [{ type: "model", id, ...known.find((info) => info.id === id), ...own }];
  });
};

/** The API of one server, with what tests set. */
export class ModelsApi {
  readonly #settings = new Map<string, ModelsSetting>();
  readonly #requests = new Map<string, ModelsRequest[]>();
  readonly #onViolation: (problem: string) => void;

  /** `onViolation` is called for requests that the real API would refuse. */
  constructor(onViolation: (problem: string) => void) {
    this.#onViolation = onViolation;
  }

  /** `credential` is the secret as requests send it; "" is for all that have no setting of their own. */
  set(credential: string, setting: ModelsSetting): void {
    this.#settings.set(credential, setting);
  }

  /** Requests with this credential, or all of them for "". */
  requests(credential: string): readonly ModelsRequest[] {
    return credential === "" ? [...this.#requests.values()].flat() : (this.#requests.get(credential) ?? []);
  }

  async answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const headers = headersOf(request);
    if (!hasCredential(headers)) return refuse(response, 401, "authentication_error", "x-api-key header is required");
    const refusal = headersRefusal(headers);
    if (refusal !== undefined) {
      this.#onViolation(refusal.message);
      return refuse(response, refusal.status, refusal.type, refusal.message);
    }
    const credential = headers["x-api-key"] ?? headers.authorization?.replace(/^Bearer /i, "") ?? "";
    this.#requests.set(credential, [...this.requests(credential), { path: `${url.pathname}${url.search}`, headers }]);
    const setting = this.#settings.get(credential) ?? this.#settings.get("") ?? {};
    if (setting.hangs === true) return untilLeft(response);
    if (setting.failure !== undefined) {
      const { status, type, message, headers: more } = setting.failure;
      return sendJson(response, status, { type: "error", error: { type, message }, request_id: "req_scripted" }, more);
    }
    const list = listOf(setting, betasOf(headers).has("compact-2026-09-04"));
    const [, , , id] = url.pathname.split("/");
    if (id === undefined) return sendJson(response, 200, pageOf(list, url.searchParams));
    const alias = KNOWN_MODELS.find((model) => model.alias === id)?.id;
    const info = list.find((one) => one.id === (alias ?? decodeURIComponent(id)));
    if (info === undefined) return refuse(response, 404, "not_found_error", `model: ${id}`);
    sendJson(response, 200, info);
  }
}

const headersRefusal = (headers: Readonly<Record<string, string>>): Refusal | undefined => {
  if (!("anthropic-version" in headers)) return invalid("anthropic-version: header is required");
  const problem = betasProblem(betasOf(headers));
  return oauthProblem(headers) ?? (problem === undefined ? undefined : invalid(problem));
};

const untilLeft = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => leaveSignal(response).addEventListener("abort", () => resolve()));

/** One page: 20 models unless `limit` says otherwise, behind `after_id`. */
const pageOf = (list: readonly Readonly<Record<string, unknown>>[], query: URLSearchParams) => {
  const start = list.findIndex(({ id }) => id === query.get("after_id")) + 1;
  const data = list.slice(start, start + Number(query.get("limit") ?? 20));
  return {
    data,
    has_more: start + data.length < list.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
};
