/** Who may sign in: `ALLOWED_EMAILS`, addresses and `@domains`, separated by commas or blanks. */

/** The list as it is asked. `unreadable`: entries that are neither, which allow nobody. */
export type AllowedEmails = {
  readonly emails: ReadonlySet<string>;
  /** Each with its `@`. A subdomain is another domain. */
  readonly domains: ReadonlySet<string>;
  readonly unreadable: readonly string[];
};

const EMAIL = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/;
const DOMAIN = /^@[^\s@<>]+\.[^\s@<>]+$/;

/** Reads the variable; undefined where it names nobody, so that everybody may sign in. */
export const readAllowedEmails = (text: string | undefined): AllowedEmails | undefined => {
  const entries = (text ?? "")
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "");
  if (entries.length === 0) return undefined;
  return {
    emails: new Set(entries.filter((entry) => EMAIL.test(entry))),
    domains: new Set(entries.filter((entry) => DOMAIN.test(entry))),
    unreadable: entries.filter((entry) => !EMAIL.test(entry) && !DOMAIN.test(entry)),
  };
};

/** Lists of this isolate by their text: each request asks. */
const read = new Map<string, AllowedEmails | undefined>();

/** Whether a person may sign in, and stay signed in. `email` is lower case. */
export const isAllowedEmail = (
  { ALLOWED_EMAILS: text = "" }: { readonly ALLOWED_EMAILS?: string },
  email: string,
): boolean => {
  if (!read.has(text)) read.clear();
  const allowed = read.get(text) ?? readAllowedEmails(text);
  read.set(text, allowed);
  return allowed === undefined || allowed.emails.has(email) || allowed.domains.has(email.slice(email.indexOf("@")));
};
