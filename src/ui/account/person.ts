/**
 * Whose things this browser keeps: drafts, the current thread, and what this page has in memory. Somebody else who signs
 * in here finds nothing of them, in no tab.
 */
import { noteSignedIn, signedOut } from "../actions/signed-out.ts";

/** Its value is the e-mail and, after a blank, what makes every sign-in an event for the other tabs. */
const KEY = "tally.person";

/** What stays whoever signs in: how the device's owner likes to see and use the app. */
const OF_THE_DEVICE = /^tally\.(theme|shortcuts)$/;

/** Of all tabs, and of this one. */
const STORAGES = [localStorage, sessionStorage] as const;

/** Whose data this page has in memory. */
let shown: string | undefined;

/** Whose data this page has in memory; undefined before the first answer. */
export const shownPerson = (): string | undefined => shown;

/** Takes in who is signed in. A page that had things of somebody else begins anew, at the same address. */
export const admitPerson = (email: string): void => {
  const isOther = [shown, ...STORAGES.map(emailOf)].some((other) => other && other !== email);
  if (isOther) forgetPerson();
  for (const storage of STORAGES) {
    if (emailOf(storage) !== email) write(storage, email);
  }
  if (isOther) beginAnew();
  else shown = email;
};

/** Somebody has signed in on this page: it goes on where it was, and so do the other tabs. */
export const enterAs = (email: string): void => {
  admitPerson(email);
  write(localStorage, email);
  if (shown === email) noteSignedIn();
};

/** Drops all that is kept of a person. Removing the key tells the other tabs that nobody is signed in. */
export const forgetPerson = (): void => {
  STORAGES.forEach(forget);
};

/** Follows what other tabs say of signing in and out. Call it once; gives what ends it. */
export const followOtherTabs = (): (() => void) => {
  // A tab that was put away while somebody else signed in, and is restored.
  if (emailOf(sessionStorage) !== emailOf(localStorage)) forget(sessionStorage);
  // The storage is asked, not the event: it may be behind, and a restored page has had none.
  const follow = (): void => {
    const email = emailOf(localStorage);
    if (email && (shown ?? email) === email) {
      noteSignedIn();
      return;
    }
    forget(sessionStorage);
    if (email) beginAnew();
    else signedOut.set(true);
  };
  const onStorage = ({ key }: StorageEvent): void => {
    if (key === KEY || key === null) follow();
  };
  const onShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) follow();
  };
  addEventListener("storage", onStorage);
  addEventListener("pageshow", onShow);
  return () => {
    removeEventListener("storage", onStorage);
    removeEventListener("pageshow", onShow);
  };
};

/** Nothing is shown meanwhile, nor where the browser asks about an unsaved form and the person stays. */
const beginAnew = (): void => {
  signedOut.set(true);
  location.reload();
};

const emailOf = (storage: Storage): string | undefined => storage.getItem(KEY)?.split(" ", 1)[0];

const write = (storage: Storage, email: string): void => {
  try {
    storage.setItem(KEY, `${email} ${Date.now()}`);
  } catch {
    // The storage is closed or full: then it keeps nothing of anybody either.
  }
};

const forget = (storage: Storage): void => {
  for (const key of Object.keys(storage)) {
    if (key.startsWith("tally.") && !OF_THE_DEVICE.test(key)) storage.removeItem(key);
  }
};
