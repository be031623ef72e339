/** People who sign in as people do: a code is asked for, read in their mail, and typed in; their browser keeps cookies. */
import { z } from "zod";
import { type Answer, answerOf } from "./answer.ts";
import { cookieJar } from "./cookie-jar.ts";
import { codesSentTo } from "./outbox.ts";

/** A browser on one origin. It sends back the cookies it was given. */
export const aBrowser = (origin = "https://tally.test") => {
  const { cookies, send } = cookieJar(origin);
  const request = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (init.body !== undefined && init.body !== null) headers.set("content-type", "application/json");
    return send(path, { ...init, headers });
  };
  const ask = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    answerOf(await request(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }));
  return {
    cookies,
    /** Sends a request with the headers it has. */
    send,
    /** The same; what has a body is JSON. */
    request,
    ask,
    askForCode: (email: string) => ask("POST", CODE_PATH, { email, type: "sign-in" }),
    enterCode: (email: string, otp: string) => ask("POST", SIGN_IN_PATH, { email, otp }),
    /** Who the Worker says this is. */
    session: () => ask("GET", "/_framework/session"),
    /** Has the log-in act in a new organization; returns its id. */
    openOrganization: async (): Promise<string> => {
      const organization = { name: "Home", slug: crypto.randomUUID() };
      const { id } = Organization.parse((await ask("POST", `${ORGANIZATION_PATH}/create`, organization)).body);
      await ask("POST", `${ORGANIZATION_PATH}/set-active`, { organizationId: id });
      return id;
    },
    /** Forgets the signed copy of the log-in, as the browser itself does after five minutes. */
    dropCookieCache: () => {
      for (const name of cookies.keys()) if (name.includes("session_data")) cookies.delete(name);
    },
  };
};

export type Browser = ReturnType<typeof aBrowser>;

/** Signs a person in, by default a new one, in a browser of their own. */
export const signIn = async (
  email = `${crypto.randomUUID()}@example.com`,
  origin?: string,
): Promise<Browser & { readonly email: string }> => {
  const browser = aBrowser(origin);
  await browser.askForCode(email);
  const answer = await browser.enterCode(email, codesSentTo(email.toLowerCase()).at(-1) ?? "none");
  if (answer.status !== 200) throw new Error(`Sign-in: ${JSON.stringify(answer)}`);
  return { ...browser, email };
};

const CODE_PATH = "/_framework/auth/email-otp/send-verification-otp";
const SIGN_IN_PATH = "/_framework/auth/sign-in/email-otp";
const ORGANIZATION_PATH = "/_framework/auth/organization";

const Organization = z.object({ id: z.string() });
