/** Tells one request, or one filter, from another. */

/** SHA-256 of a value's JSON, in hex. Equal inputs that came through a schema have their keys in the same order. */
export const contentHash = async (value: unknown): Promise<string> => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(value)));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
