/** Which mailbox an address is of: one person writes theirs in many ways, and each would have counters of its own. */

/** Providers where dots before the `@` do not count. */
const DOTLESS: ReadonlySet<string> = new Set(["gmail.com", "googlemail.com"]);

/**
 * The mailbox's one name, for counters alone: what is behind a `+` is left out everywhere, dots where they do not count. Two
 * people whom this takes for one share a counter and nothing else. `email` is lower case.
 */
export const mailboxOf = (email: string): string => {
  const at = email.lastIndexOf("@");
  const [local = "", domain] = [email.slice(0, at).split("+", 1)[0] ?? "", email.slice(at + 1)];
  return DOTLESS.has(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
};
