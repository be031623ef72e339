/** The address of the model's API. */
import { isLoopbackUrl } from "../../contract/local/loopback.ts";

const ANTHROPIC_API_URL = "https://api.anthropic.com";

/**
 * The address to call. Only a model server on this machine may replace the provider, since a gateway would see everything. Any other
 * `ANTHROPIC_BASE_URL` is ignored, and `warn` gets one line that says so.
 */
export const modelBaseUrl = (wanted: string | undefined, warn: (line: string) => void): string => {
  const text = wanted?.trim();
  if (!text) return ANTHROPIC_API_URL;
  if (isLoopbackUrl(text)) return text;
  // Without the address, which may contain a secret.
  warn("ANTHROPIC_BASE_URL is ignored: it is not a loopback address.");
  return ANTHROPIC_API_URL;
};
