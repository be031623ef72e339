/** What a browser has on one origin: the cookies it was given, and the address it comes from. */
import { SELF } from "cloudflare:test";

/** An empty one. Its address is its own, since sign-in counts by address what many people do at once. */
export const cookieJar = (origin: string) => {
  const cookies = new Map<string, string>();
  const address = `10.${crypto.getRandomValues(new Uint8Array(3)).join(".")}`;
  return {
    cookies,
    /** Sends a request as it is, with cookies and address, and keeps the cookies of its answer. */
    send: async (path: string, init: RequestInit = {}): Promise<Response> => {
      const headers = new Headers(init.headers);
      if (!headers.has("cf-connecting-ip")) headers.set("cf-connecting-ip", address);
      if (cookies.size > 0) headers.set("cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
      const response = await SELF.fetch(`${origin}${path}`, { ...init, headers });
      for (const cookie of response.headers.getSetCookie()) keep(cookies, cookie);
      return response;
    },
  };
};

const keep = (cookies: Map<string, string>, setCookie: string): void => {
  const [pair = ""] = setCookie.split(";", 1);
  const name = pair.slice(0, pair.indexOf("="));
  if (/;\s*max-age=0/i.test(setCookie)) cookies.delete(name);
  else cookies.set(name, pair.slice(pair.indexOf("=") + 1));
};
