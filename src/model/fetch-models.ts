/** One request to the provider's Models API. */
import { modelBaseUrl } from "./base-url.ts";
import { type Credential, credentialHeaders } from "./credential.ts";
import type { ModelFacts } from "./model-facts.ts";
import { readModels } from "./read-models.ts";

/** Longest the whole answer may take, in ms: a person may be waiting for it. */
const MAX_MS = 5_000;

/** Largest answer, in bytes. A model takes about two thousand. */
const MAX_BYTES = 1_000_000;

/** The most models a page can have: all there are. */
const PATH = "/v1/models?limit=1000";

/** Without it the answer says nothing of compaction. */
const BETA = "compact-2026-09-04";

/**
 * What the provider says of its models, newest first. It follows no redirect.
 *
 * @throws {Error} that holds nothing secret, when there is no answer within 5 s and 1 MB, or none that can be read.
 */
export const fetchModels = async (credential: Credential, baseUrl: string | undefined): Promise<ModelFacts[]> => {
  const url = new URL(
    PATH,
    modelBaseUrl(baseUrl, () => undefined),
  );
  const headers = new Headers({ "anthropic-version": "2023-06-01" });
  for (const [name, value] of Object.entries(credentialHeaders(credential))) {
    if (value !== null) headers.set(name, value);
  }
  headers.append("anthropic-beta", BETA);
  const response = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(MAX_MS) });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`The Models API answered ${response.status}.`);
  }
  return readModels(JSON.parse(await readText(response)));
};

const readText = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error("The Models API gave too long an answer.");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};
