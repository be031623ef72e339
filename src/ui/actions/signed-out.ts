/** Whether the server says that nobody is signed in: then the sign-in screen stands in place of the app. */
import { createStore } from "../state/store.ts";

/** True from a 401 on, until somebody signs in. */
export const signedOut = createStore(false);

/** How often somebody has signed in on this page: a 401 that was asked for before the last time says nothing. */
let signIns = 0;

/** Call it before a request, and the result when that is answered 401. */
export const watchSignedOut = (): (() => void) => {
  const before = signIns;
  return () => {
    if (before === signIns) signedOut.set(true);
  };
};

/** Somebody is signed in from now on. */
export const noteSignedIn = (): void => {
  signIns += 1;
  signedOut.set(false);
};
