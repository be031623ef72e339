/** What the account asks of the server, by path. All of it is of the person who is signed in, but for the two of signing in. */
import { requestJson } from "../actions/request-json.ts";

const AUTH = "/_framework/auth";

/** Sends a code to an address, whether anybody has signed in by it before or not. */
export const requestCode = (email: string): Promise<unknown> =>
  requestJson(`${AUTH}/email-otp/send-verification-otp`, { method: "POST", body: { email, type: "sign-in" } });

/** Signs in; gives the address as the server files it. */
export const signIn = async (email: string, otp: string): Promise<string> => {
  const body = { email, otp };
  const { user } = await requestJson<{ readonly user: { readonly email: string } }>(`${AUTH}/sign-in/email-otp`, {
    method: "POST",
    body,
  });
  return user.email;
};

/** One browser that is signed in. `token` names it to `endLogin`. */
export type LoginView = {
  readonly id: string;
  readonly token: string;
  readonly userAgent?: string | null;
  readonly createdAt: string;
};

/** All log-ins, and the id of this browser's own. */
export const readLogins = async (signal: AbortSignal) => {
  const [logins, own] = await Promise.all([
    requestJson<readonly LoginView[]>(`${AUTH}/list-sessions`, { signal }),
    requestJson<{ readonly session: { readonly id: string } } | null>(`${AUTH}/get-session`, { signal }),
  ]);
  return { logins, ownId: own?.session.id };
};

/** Ends another log-in. */
export const endLogin = (token: string): Promise<unknown> =>
  requestJson(`${AUTH}/revoke-session`, { method: "POST", body: { token } });

/** Ends every log-in, this one among them. */
export const endAllLogins = (): Promise<unknown> =>
  requestJson(`${AUTH}/revoke-sessions`, { method: "POST", body: {} });

/** Ends this log-in, and takes its cookies away. */
export const endThisLogin = (): Promise<unknown> => requestJson(`${AUTH}/sign-out`, { method: "POST", body: {} });

/** Where everything of the person can be downloaded, as one JSON file. */
export const EXPORT_PATH = "/_framework/account/export";

/** Deletes everything of the person. `email` is what they typed to confirm it. */
export const deleteAccount = (email: string): Promise<unknown> =>
  requestJson("/_framework/account", { method: "DELETE", body: { email } });
