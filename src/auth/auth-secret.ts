/** The secret that log-in cookies are signed with. */
import { hex } from "../contract/digest.ts";
import { log } from "../contract/log.ts";
import type { Env } from "../env.ts";

/** Shortest secret, in bytes of UTF-8: as long as the SHA-256 that it is the key for. */
const MIN_BYTES = 32;

/** The secret, or undefined when it is missing or too short; then nobody can be signed in. */
export const findAuthSecret = ({ BETTER_AUTH_SECRET }: Pick<Env, "BETTER_AUTH_SECRET">): string | undefined =>
  BETTER_AUTH_SECRET !== undefined && new TextEncoder().encode(BETTER_AUTH_SECRET).byteLength >= MIN_BYTES
    ? BETTER_AUTH_SECRET
    : undefined;

/** Logs what the operator must do. */
export const logMissingSecret = (): void =>
  log.error(
    `BETTER_AUTH_SECRET is missing or shorter than ${MIN_BYTES} bytes: nobody can sign in. Set it with \`npx wrangler secret put BETTER_AUTH_SECRET\`.`,
  );

/**
 * Hashes addresses and codes for the database, so that nobody can tell them without the secret: HMAC with SHA-256, in hex.
 */
export const hashOf = async (secret: string, text: string): Promise<string> => {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const digest = await crypto.subtle.sign("HMAC", key, encoder.encode(text));
  return hex(new Uint8Array(digest));
};
