/** The person of a screen test, who has signed in with a code: what the page and the test's own client send along. */
import { readFileSync, watch } from "node:fs";
import type { BrowserContext } from "playwright-core";
import type { Site } from "./site.ts";

type Cookie = Parameters<BrowserContext["addCookies"]>[0][number];

/** `cookies` are what a browser sends, on any port of this machine. */
export type Person = { readonly email: string; readonly cookies: readonly Cookie[] };

/** What signing in needs to know of a site. */
type SignInSite = Pick<Site, "url" | "mailFile">;

/** The one identity of a site without sign-in. */
const FALLBACK: Person = { email: "dev@local.test", cookies: [] };

/** Longest wait for a code to be printed, in ms, on a machine that has more to do. A sign-in that works never takes it. */
const MAIL_TIMEOUT_MS = 30_000;

/** A new person, signed in as the page does it; on a site without sign-in, the one identity that everybody has there. */
export const newPerson = async (site: SignInSite): Promise<Person> => {
  if (site.mailFile === undefined) return FALLBACK;
  const email = `${crypto.randomUUID()}@example.com`;
  await post(site, "/email-otp/send-verification-otp", { email, type: "sign-in" });
  const answer = await post(site, "/sign-in/email-otp", { email, otp: await nthCode(site, email) });
  return { email, cookies: answer.headers.getSetCookie().map(readCookie) };
};

/** The nth code, from 0, that is printed for an address; waits until it is. */
export const nthCode = async ({ mailFile }: SignInSite, email: string, n = 0): Promise<string> => {
  if (mailFile === undefined) throw new Error("This site prints no codes.");
  const line = new RegExp(`Sign-in code for ${email}: (\\d{6})`, "g");
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const look = (): void => {
    const code = [...readFileSync(mailFile, "utf8").matchAll(line)][n]?.[1];
    if (code !== undefined) resolve(code);
  };
  // Watched before it is read: what is printed in between is not missed.
  const watcher = watch(mailFile, look);
  const timer = setTimeout(() => reject(new Error(`No code for ${email} was printed.`)), MAIL_TIMEOUT_MS);
  look();
  return await promise.finally(() => {
    clearTimeout(timer);
    watcher.close();
  });
};

/** Header of a request in the person's name. */
export const cookieHeader = ({ cookies }: Person): Readonly<Record<string, string>> =>
  cookies.length === 0 ? {} : { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") };

/** Most lines of a site's log that a failure quotes. */
const QUOTED_LINES = 5;

/** What the site logged as errors last: an answer of 500 does not say why. */
const lastErrors = (mailFile: string | undefined): string => {
  const lines = mailFile === undefined ? [] : readFileSync(mailFile, "utf8").split("\n");
  return lines
    .filter((line) => line.includes('"level":"error"'))
    .slice(-QUOTED_LINES)
    .join("\n");
};

const post = async ({ url, mailFile }: SignInSite, path: string, body: unknown): Promise<Response> => {
  const headers = { "content-type": "application/json", origin: url };
  const answer = await fetch(`${url}/_framework/auth${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (answer.status !== 200)
    throw new Error(`Sign-in: ${answer.status} ${await answer.text()}\n${lastErrors(mailFile)}`);
  return answer;
};

const readCookie = (line: string): Cookie => {
  const [pair = "", ...attributes] = line.split("; ");
  const at = pair.indexOf("=");
  const httpOnly = attributes.some((attribute) => attribute.toLowerCase() === "httponly");
  return {
    name: pair.slice(0, at),
    value: pair.slice(at + 1),
    domain: "127.0.0.1",
    path: "/",
    httpOnly,
    sameSite: "Lax",
  };
};
