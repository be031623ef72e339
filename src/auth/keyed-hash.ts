/** Names of people and their codes, as a database may hold them: nobody without the secret can tell whose they are. */

/** HMAC with SHA-256, in hex. */
export const hashOf = async (secret: string, text: string): Promise<string> => {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const digest = await crypto.subtle.sign("HMAC", key, encoder.encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
