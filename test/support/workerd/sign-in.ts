/** People who sign in as people do: a code is asked for, read in their mail, and typed in; their browser keeps cookies. */
import { SELF } from "cloudflare:test";
import { codesSentTo } from "./outbox.ts";
import { answerOf } from "./somebody.ts";
import type { Answer } from "./stocks-client.ts";

/** A browser on one origin. It sends back the cookies it was given. */
export const aBrowser = (origin = "https://tally.test") => {
  const cookies = new Map<string, string>();
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    if (init.body !== undefined && init.body !== null) headers.set("content-type", "application/json");
    const response = await SELF.fetch(`${origin}${path}`, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) keep(cookies, cookie);
    return response;
  };
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    answerOf(await request(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }));
  return {
    cookies,
    request,
    ask,
    askForCode: (email: string) => ask("POST", CODE_PATH, { email, type: "sign-in" }),
    enterCode: (email: string, otp: string) => ask("POST", SIGN_IN_PATH, { email, otp }),
    /** Who the Worker says this is. */
    session: () => ask("GET", "/_framework/session"),
    /** Forgets the signed copy of the log-in, as the browser itself does after five minutes. */
    dropCookieCache: () => {
      for (const name of cookies.keys()) if (name.includes("session_data")) cookies.delete(name);
    },
  };
};

export type Browser = ReturnType<typeof aBrowser>;

/** Signs a person in, somebody new by default, in a browser of its own. */
export const signIn = async (
  email = `${crypto.randomUUID()}@example.com`,
  origin?: string,
): Promise<Browser & { readonly email: string }> => {
  const browser = aBrowser(origin);
  await browser.askForCode(email);
  const answer = await browser.enterCode(email, codesSentTo(email).at(-1) ?? "none");
  if (answer.status !== 200) throw new Error(`Sign-in: ${JSON.stringify(answer)}`);
  return { ...browser, email };
};

const CODE_PATH = "/_framework/auth/email-otp/send-verification-otp";
const SIGN_IN_PATH = "/_framework/auth/sign-in/email-otp";

const keep = (cookies: Map<string, string>, setCookie: string): void => {
  const [pair = ""] = setCookie.split(";", 1);
  const name = pair.slice(0, pair.indexOf("="));
  if (/;\s*max-age=0/i.test(setCookie)) cookies.delete(name);
  else cookies.set(name, pair.slice(pair.indexOf("=") + 1));
};
