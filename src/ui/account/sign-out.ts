/** The ways out of this browser. Each drops all that is kept of the person, here and in the other tabs. */
import { showToast } from "../parts/toasts.tsx";
import { deleteAccount, endAllLogins, endThisLogin } from "./auth-requests.ts";
import { explainSignIn } from "./explain-sign-in.ts";
import { forgetPerson } from "./person.ts";

/** Ends this log-in. Says so where it failed: the person is still signed in then. */
export const signOut = async (): Promise<void> => {
  try {
    await endThisLogin();
    leave();
  } catch (error) {
    showToast({ text: `You are still signed in. ${explainSignIn(error)}`, tone: "bad" });
  }
};

/** Ends every log-in. @throws {ApiError} when that failed. */
export const signOutEverywhere = async (): Promise<void> => {
  await endAllLogins();
  await dropCookies();
  leave();
};

/** Deletes everything of the person. `email` is what they typed to confirm. @throws {ApiError} when that failed. */
export const leaveForGood = async (email: string): Promise<void> => {
  await deleteAccount(email);
  leave();
};

/** The log-in is over by now, and its cookies count for no more than a few minutes of reading. */
const dropCookies = (): Promise<unknown> => endThisLogin().catch(() => undefined);

const leave = (): void => {
  forgetPerson();
  // A fresh page: nothing of the person is left in its memory.
  location.replace("/");
};
