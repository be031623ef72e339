/** Requests about the account. All but the two for signing in act on the signed-in person. */
import { requestJson } from "../../api/request-json.ts";

const AUTH = "/_framework/auth";

/** Sends a code to an address, whether or not it has an account. */
export const requestCode = (email: string): Promise<unknown> =>
  requestJson(`${AUTH}/email-otp/send-verification-otp`, { method: "POST", body: { email, type: "sign-in" } });

/** Signs in. Returns the address as the server stores it. */
export const signIn = async (email: string, otp: string): Promise<string> => {
  const body = { email, otp };
  const { user } = await requestJson<{ readonly user: { readonly email: string } }>(`${AUTH}/sign-in/email-otp`, {
    method: "POST",
    body,
  });
  return user.email;
};

/** One browser that is signed in. `token` is what `endLogin` takes. */
export type LoginView = {
  readonly id: string;
  readonly token: string;
  readonly userAgent?: string | null;
  readonly createdAt: string;
};

/** All log-ins, and the id of this browser's. */
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

/** Ends every log-in but this one. */
export const endOtherLogins = (): Promise<unknown> =>
  requestJson(`${AUTH}/revoke-other-sessions`, { method: "POST", body: {} });

/** Ends every log-in, including this one. */
export const endAllLogins = (): Promise<unknown> =>
  requestJson(`${AUTH}/revoke-sessions`, { method: "POST", body: {} });

/** Ends this log-in and removes its cookies. */
export const endThisLogin = (): Promise<unknown> => requestJson(`${AUTH}/sign-out`, { method: "POST", body: {} });

/** Download of all the person's data, as one JSON file. */
export const EXPORT_PATH = "/_framework/account/export";

/** Deletes the account with all its data. `email` is what the person typed to confirm it. */
export const deleteAccount = (email: string): Promise<unknown> =>
  requestJson("/_framework/account", { method: "DELETE", body: { email } });
