/**
 * Asks a price or rate service for JSON, within limits that hold whatever it answers; reads the prices and rates in it; and
 * says which address is asked: the fixed one, or one on this machine that a variable names.
 */
import { isLoopbackUrl } from "../contract/local/loopback.ts";
import { parseJsonBody, tryParseJson } from "../contract/parse-json.ts";
import { canonicalDecimal } from "../contract/stocks/canonical-decimal.ts";
import { withTimeLimit } from "../contract/within.ts";

/** How long the whole answer may take, in ms. Nobody waits for it but an object, a cron or a person who searches. */
export const SERVICE_LIMIT_MS = 3_000;

/** Largest answer, in bytes: twenty years of daily closes are about half of it. */
const MAX_BYTES = 1_000_000;

/** How much of a refusal in plain text is read, in characters. */
const MAX_TEXT = 1_000;

/** A request of an adapter: the whole address, and the headers that authenticate it. */
export type ServiceRequest = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the service refuses in plain text as well: then that is an answer. */
  readonly refusesInText?: boolean;
};

/** What a service answered: any status, and the body if it is JSON; otherwise the beginning of a refusal's text, where it was asked for. */
export type ServiceAnswer = { readonly status: number; readonly body: unknown; readonly text?: string };

/** Why there is no answer that can be read. The message has no address in it: an address can contain a key. */
class NoAnswer extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "NoAnswer";
  }
}

/**
 * Sends a request and follows no redirect. `signal` aborts it, after 3 s unless another is given: it then counts as not answered in time.
 *
 * @throws {NoAnswer} without an answer in time and within 1 MB, or with one that is not JSON and no refusal in words.
 */
export const fetchJson = (request: ServiceRequest, signal?: AbortSignal): Promise<ServiceAnswer> =>
  signal === undefined
    ? withTimeLimit(SERVICE_LIMIT_MS, (limited) => fetchUntil(limited, request))
    : fetchUntil(signal, request);

const fetchUntil = async (
  signal: AbortSignal,
  { url, headers = {}, refusesInText = false }: ServiceRequest,
): Promise<ServiceAnswer> => {
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json", ...headers },
      redirect: "manual",
      signal,
    });
    if (refusesInText && response.status >= 400) {
      const text = await readStart(response.body);
      return { status: response.status, body: tryParseJson(text), text };
    }
    if (!isJson(response)) {
      await response.body?.cancel();
      throw new NoAnswer(`The service answered ${response.status} without JSON.`);
    }
    return { status: response.status, body: await parseJsonBody(response.body, MAX_BYTES) };
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    if (error instanceof RangeError) throw new NoAnswer("The answer of the service is too long.");
    if (signal.aborted) throw new NoAnswer("The service did not answer in time.");
    throw new NoAnswer("The service could not be reached, or its answer could not be read.");
  }
};

/** Leaves the rest of the body unread. */
const readStart = async (body: AsyncIterable<Uint8Array> | null): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= MAX_TEXT) break;
  }
  return text.slice(0, MAX_TEXT);
};

const isJson = (response: Response): boolean =>
  /^application\/(?:[\w.-]+\+)?json\b/i.test(response.headers.get("content-type") ?? "");

/** As many digits as an amount of a stock can have. */
const PLAIN = /^\d{1,12}(\.\d{1,10})?$/;

/**
 * A price above 0 as a canonical decimal; a JSON number by its shortest text. Undefined for 0, signs, exponents, `NA` and anything
 * else: services send those when they do not know.
 */
export const readDecimal = (value: unknown): string | undefined => {
  const text = typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : "";
  if (!PLAIN.test(text)) return undefined;
  const decimal = canonicalDecimal(text);
  return decimal === "0" ? undefined : decimal;
};

/** The address that a variable names, without a slash at its end; undefined unless it is one on loopback. */
export const loopbackUrl = (wanted: string | undefined): string | undefined => {
  const text = wanted?.trim().replace(/\/+$/, "");
  return text && isLoopbackUrl(text) ? text : undefined;
};

/** The address to call: the fixed one, unless a variable names one on loopback. Any other is ignored. No slash at the end. */
export const serviceUrl = (fixed: string, wanted: string | undefined): string => loopbackUrl(wanted) ?? fixed;
