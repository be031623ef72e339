/**
 * Lets what a person has typed and not saved outlive the page: a phone discards a page in the background without a word, and an iPhone
 * reloads one without asking. The tab's storage has the texts only while the page is out of sight, so they are never out of date.
 */
import { keptPerson, shownPerson } from "./person.ts";

type Typed = Iterable<readonly [name: string, text: string]>;

/** Whether the storages are still those of the person whose data this page has: nothing is left for the next one. */
const isTheirs = (): boolean => {
  const person = keptPerson();
  return person !== undefined && person === keptPerson(sessionStorage) && person === (shownPerson() ?? person);
};

const put = (prefix: string, typed: Typed): void => {
  for (const [name, text] of typed) {
    try {
      sessionStorage.setItem(prefix + name, text);
    } catch {
      // The storage is full: the text is lost only if the page is.
    }
  }
};

const takeAll = (prefix: string): ReadonlyMap<string, string> => {
  const taken = new Map<string, string>();
  for (const key of Object.keys(sessionStorage).filter((other) => other.startsWith(prefix))) {
    taken.set(key.slice(prefix.length), sessionStorage.getItem(key) ?? "");
    sessionStorage.removeItem(key);
  }
  return taken;
};

/**
 * Returns the texts that an earlier page of this tab has left, by name, and from now on leaves those that `read` gives. Texts that were
 * left by somebody else are dropped. Call it once for each `kind`.
 */
export const outlivePage = (kind: string, read: () => Typed): ReadonlyMap<string, string> => {
  const prefix = `tally.${kind}:`;
  const leave = (): void => {
    if (!isTheirs()) return;
    takeAll(prefix);
    put(prefix, read());
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : takeAll(prefix)));
  addEventListener("pagehide", leave);
  const taken = takeAll(prefix);
  const left = isTheirs() ? taken : new Map<string, string>();
  // A page that is restored out of sight may be discarded again before anything in it is shown.
  if (document.hidden) put(prefix, left);
  return left;
};
