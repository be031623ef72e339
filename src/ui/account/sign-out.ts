/** Signing out and deleting the account. Each drops everything kept for the person, here and in other tabs. */
import { showToast } from "../parts/toasts.tsx";
import { explainFailure } from "./explain-failure.ts";
import { forgetPerson } from "./person.ts";
import { deleteAccount, endAllLogins, endThisLogin } from "./sign-in/auth-requests.ts";

/** Ends this log-in. When that fails, a toast says that the person is still signed in. */
export const signOut = async (): Promise<void> => {
  try {
    await endThisLogin();
    await leave();
  } catch (error) {
    showToast({ text: `You are still signed in. ${explainFailure(error)}`, tone: "bad" });
  }
};

/** Ends every log-in. @throws {ApiError} when that failed. */
export const signOutEverywhere = async (): Promise<void> => {
  await endAllLogins();
  await dropCookies();
  await leave();
};

/** Deletes the account. `email` is what the person typed to confirm. @throws {ApiError} when that failed. */
export const closeAccount = async (email: string): Promise<void> => {
  await deleteAccount(email);
  await leave();
};

/** The log-in has ended, so a failure does not matter: its cookies only allow a few more minutes of reading. */
const dropCookies = (): Promise<unknown> => endThisLogin().catch(() => undefined);

const leave = async (): Promise<void> => {
  await forgetPerson();
  // A fresh page has nothing of the person in memory.
  location.replace("/");
};
