/** Requests of people, each signed in through the front door before the first one. */
import { SELF } from "cloudflare:test";
import { type Browser, signIn } from "./sign-in.ts";

/** Where a deployed Worker is. On loopback some limits are off, and cookies are others. */
const ORIGIN = "https://tally.test";

/** By origin and e-mail; requests that one person sends at once wait for the same sign-in. */
const browsers = new Map<string, Promise<Browser>>();

const browserOf = (email: string, origin: string): Promise<Browser> => {
  const key = `${origin} ${email}`;
  const browser = browsers.get(key) ?? signIn(email, origin);
  browsers.set(key, browser);
  return browser;
};

/** Sends a request as a person, or as nobody. A person's requests all come from the same browser. */
export const fetchAs = async (
  email: string | null,
  path: string,
  init: RequestInit = {},
  origin: string = ORIGIN,
): Promise<Response> =>
  email === null ? await SELF.fetch(`${origin}${path}`, init) : await (await browserOf(email, origin)).send(path, init);
