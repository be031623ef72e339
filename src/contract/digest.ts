/** Digests of content, and of e-mail addresses: logs name a person by such a digest, and budgets name a mailbox. */

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

/** Providers that ignore dots before the `@`. */
const DOTLESS: ReadonlySet<string> = new Set(["gmail.com", "googlemail.com"]);

/**
 * One name for a mailbox, for counters only: people can write their address in many ways, and each spelling would have counters of its
 * own. Drops what follows a `+`, and dots where the provider ignores them. Two people whom this confuses share a counter and
 * nothing else. `email` is lower case.
 */
export const mailboxOf = (email: string): string => {
  const at = email.lastIndexOf("@");
  const [local = "", domain] = [email.slice(0, at).split("+", 1)[0] ?? "", email.slice(at + 1)];
  return DOTLESS.has(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
};

/** Names the owner of a daily budget: the `ownerHash` of a mailbox, for which one person may have many addresses. */
export const budgetHash = (email: string): Promise<string> => ownerHash(mailboxOf(email));

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
