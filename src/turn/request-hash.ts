/** Tells a repeated turn start from another one under the same idempotency key. */

/** SHA-256 of thread id and prompt, in hex. */
export const requestHash = async (threadId: string, prompt: string): Promise<string> => {
  const text = new TextEncoder().encode(JSON.stringify([threadId, prompt]));
  const digest = await crypto.subtle.digest("SHA-256", text);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
