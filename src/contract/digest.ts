/** Digests: of content, and of e-mails, by which logs identify a person. */

/** Digits kept of the digest: enough that no two people of one installation collide. */
const HASH_DIGITS = 16;

/** Hashes by e-mail: the same few people are logged again and again. Emptied when it is full. */
const hashes = new Map<string, string>();

const MAX_HASHES = 1_000;

/**
 * 16 hexadecimal digits of the SHA-256 of an e-mail, which is already lower case. Without a key, so that an operator who was asked
 * for help can find a person's lines: `printf %s ann@example.com | sha256sum | cut -c1-16`.
 */
export const ownerHash = async (email: string): Promise<string> => {
  const known = hashes.get(email);
  if (known !== undefined) return known;
  const hash = (await sha256Hex(email)).slice(0, HASH_DIGITS);
  if (hashes.size >= MAX_HASHES) hashes.clear();
  hashes.set(email, hash);
  return hash;
};

/** SHA-256 in lower-case hex, of bytes or of a text's UTF-8. */
export const sha256Hex = async (content: Uint8Array | string): Promise<string> => {
  // A copy: a view may cover part of a larger or shared buffer.
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
};

/**
 * SHA-256 of a value's JSON, in hex, to compare requests or filters. Equal inputs that were parsed by a schema have their keys in the
 * same order.
 */
export const contentHash = (value: unknown): Promise<string> => sha256Hex(JSON.stringify(value));

/** Bytes as lower-case hex. */
export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
