/** How logs name a person: the same few characters each time, and not the e-mail. */

/** Bytes kept of the digest: enough that no two people of one installation meet. */
const HASH_BYTES = 8;

/**
 * 16 hexadecimal digits of the SHA-256 of an e-mail, which is lower case already. Without a key, so that an operator who
 * was asked for help can find a person's lines: `printf %s ann@example.com | sha256sum | cut -c1-16`.
 */
export const ownerHash = async (email: string): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(email));
  return [...new Uint8Array(digest, 0, HASH_BYTES)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
