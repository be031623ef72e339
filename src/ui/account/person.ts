/**
 * Keeps one person's data apart from the next one's: drafts, the current thread, and what this page has in memory. Somebody
 * else who signs in finds none of it, in any tab.
 */
import { type UseQueryResult, useQuery } from "@tanstack/preact-query";
import { markSignedIn, requestJson, signedOut } from "../api/request-json.ts";
import { dropKept } from "../state/kept-cache.ts";

/** Its value is the e-mail and, after a space, a time that makes every sign-in an event for the other tabs. */
const KEY = "tally.person";

/** Kept no matter who signs in: how the device's owner likes to see and use the app, and which sign-in code was sent. */
const OF_THE_DEVICE = /^tally\.(theme|shortcuts|compact|sign-in)$/;

/** Shared by all tabs, and this tab's own. */
const STORAGES = [localStorage, sessionStorage] as const;

/** The e-mail of the person whose data this page has in memory. It stays that person's until the page is gone. */
let shown: string | undefined;

/** The e-mail of the person whose data this page has in memory; undefined until that is known, usually from the session. */
export const shownPerson = (): string | undefined => shown;

/** Records who is signed in. A page that has data of somebody else drops it and reloads. */
const admitPerson = (email: string): void => {
  const other = [shown, ...STORAGES.map((storage) => keptPerson(storage))].find((one) => one && one !== email);
  // The reload waits: it would cut off the work that ends the other person's pushes.
  if (other) void Promise.race([forgetPerson(), new Promise((late) => setTimeout(late, FORGET_LIMIT_MS))]).then(reload);
  for (const storage of STORAGES) {
    if (keptPerson(storage) !== email) write(storage, email);
  }
  // What an earlier page of the tab has left may be in memory before the session has loaded.
  shown ??= other ?? email;
  if (other) signedOut.set(true);
};

/** How long the next person waits until nothing is left of the one before, in ms. */
const FORGET_LIMIT_MS = 10_000;

/** Call it when somebody has signed in on this page: it continues where it was, and so do the other tabs. */
export const enterAs = (email: string): void => {
  admitPerson(email);
  write(localStorage, email);
  if (shown === email) markSignedIn();
};

/**
 * The e-mail of the person whose data this browser keeps, for all tabs; with `sessionStorage`, of the one whose data this tab keeps.
 */
export const keptPerson = (storage: Storage = localStorage): string | undefined =>
  storage.getItem(KEY)?.split(" ", 1)[0];

/**
 * Drops everything kept for a person. Removing the key tells the other tabs that nobody is signed in. Resolves when this browser gets
 * none of their pushes any more either.
 */
export const forgetPerson = async (): Promise<void> => {
  STORAGES.forEach(forget);
  const left = import("./notices/leave-device.ts").then(({ leaveDevice }) => leaveDevice());
  await Promise.allSettled([dropKept(), left]);
};

/** Follows sign-ins and sign-outs in other tabs. Call it once; returns a function that stops it. */
export const followOtherTabs = (): (() => void) => {
  // This tab may have been closed while somebody else signed in, and then restored.
  if (keptPerson(sessionStorage) !== keptPerson()) forget(sessionStorage);
  // Read from the storage: the event may be outdated, and a restored page has not had one.
  const follow = (): void => {
    const email = keptPerson();
    // The session may not have loaded yet.
    shown ??= keptPerson(sessionStorage);
    if (email && (shown ?? email) === email) {
      markSignedIn();
      return;
    }
    forget(sessionStorage);
    if (email) reloadPage();
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

/** Hides everything first: the browser may ask about an unsaved form, and the person may stay on the page. */
const reloadPage = (): void => {
  signedOut.set(true);
  reload();
};

const reload = (): void => location.reload();

const write = (storage: Storage, email: string): void => {
  try {
    storage.setItem(KEY, `${email} ${Date.now()}`);
  } catch {
    // The storage is blocked or full, so it holds nobody's data either.
  }
};

const forget = (storage: Storage): void => {
  for (const key of Object.keys(storage)) {
    if (key.startsWith("tally.") && !OF_THE_DEVICE.test(key)) storage.removeItem(key);
  }
};

/** The response of `GET /_framework/session`. */
export type Session = {
  readonly email: string;
  readonly orgId: string | null;
  readonly authDisabled: boolean;
  /** Only under `npm run dev -- --service-worker`. */
  readonly serviceWorker?: boolean;
};

/** The signed-in person. Fails with a 401 `ApiError` when nobody is signed in. */
export const useSession = (): UseQueryResult<Session> =>
  useQuery<Session>({
    queryKey: ["session"],
    queryFn: async ({ signal }) => {
      const session = await requestJson<Session>("/_framework/session", { signal });
      admitPerson(session.email);
      return session;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
