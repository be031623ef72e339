/** Asks a price or rate service for JSON, within limits that hold whatever it answers. */
import { parseJsonBody } from "../contract/parse-json.ts";

/** How long the whole answer may take, in ms. Nobody waits for it but an object, a cron or a person who searches. */
const MAX_MS = 3_000;

/** Largest answer, in bytes: twenty years of daily closes are about half of it. */
const MAX_BYTES = 1_000_000;

/** A request of an adapter: the whole address, and the headers that authenticate it. */
export type ServiceRequest = { readonly url: string; readonly headers?: Readonly<Record<string, string>> };

/** What a service answered: any status, and the body if it is JSON. */
export type ServiceAnswer = { readonly status: number; readonly body: unknown };

/** Why there is no answer that can be read. The message has no address in it: an address can contain a key. */
class NoAnswer extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "NoAnswer";
  }
}

/** Follows no redirect. @throws {NoAnswer} without an answer within 3 s and 1 MB, or with one that is not JSON. */
export const fetchJson = async ({ url, headers = {} }: ServiceRequest): Promise<ServiceAnswer> => {
  const signal = AbortSignal.timeout(MAX_MS);
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json", ...headers },
      redirect: "manual",
      signal,
    });
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

const isJson = (response: Response): boolean =>
  /^application\/(?:[\w.-]+\+)?json\b/i.test(response.headers.get("content-type") ?? "");
