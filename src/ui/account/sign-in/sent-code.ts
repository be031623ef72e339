/** The code that was sent last, for a page that a phone drops while its person reads the mail. */

/** It stays when a person is forgotten: whoever waits for a code is not signed in yet. */
const KEY = "tally.sign-in";

/** How long a code is valid, in ms, as on the server. */
export const CODE_MS = 5 * 60_000;

/** Where the code was sent, and when by `Date.now()`. */
type SentCode = { readonly email: string; readonly atMs: number };

/** Undefined when there is none that is still valid. */
export const readSentCode = (): SentCode | undefined => {
  const [at, email] = sessionStorage.getItem(KEY)?.split(" ") ?? [];
  return email !== undefined && Date.now() - Number(at) < CODE_MS ? { email, atMs: Number(at) } : undefined;
};

/** Call it when a code has been sent. */
export const keepSentCode = (email: string): void => {
  try {
    sessionStorage.setItem(KEY, `${Date.now()} ${email}`);
  } catch {
    // The storage is full: a page that is dropped begins with the address.
  }
};

/** Call it when the code was used, or another address is wanted. */
export const forgetSentCode = (): void => sessionStorage.removeItem(KEY);
