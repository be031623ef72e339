/**
 * Which requests the dev command's own listener passes on. A page that had its name rebound to this machine reaches the
 * port as well, but its browser says that name in `Host`.
 */
import { NOT_FOUND_TEXT, type Refusal } from "./refusal.ts";

/** What wrangler itself answers below these is for wrangler: it runs the cron, and reads what the app has stored. */
const WRANGLER_PATHS = ["/cdn-cgi", "/__cf_local"] as const;

/** A request before anything of it was interpreted. `url` is its target as it was sent. */
export type RawRequest = { readonly url?: string | undefined; readonly rawHeaders: readonly string[] };

/** Why a request goes no further; undefined lets it in. `port` is the one people use. */
export const refuseRequest = ({ url = "", rawHeaders }: RawRequest, port: number): Refusal | undefined => {
  if (!isOwnHost(hostsOf(rawHeaders))) {
    return { status: 403, message: `This app answers to this machine alone. Open http://localhost:${port}.` };
  }
  const path = pathOf(url);
  if (path === undefined) return { status: 400, message: "The request's target is not a path." };
  return WRANGLER_PATHS.some((own) => path === own || path.startsWith(`${own}/`))
    ? { status: 404, message: NOT_FOUND_TEXT }
    : undefined;
};

/** All of them: two would let one be checked and the other be believed. */
const hostsOf = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "host");

/**
 * A name of this machine with any port, or none: a forwarded port, as of an editor or a container, says the one it has at its
 * own end. No page can have such a name but one of this machine, whose origin the Worker holds against it.
 */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

const isOwnHost = ([host, ...others]: readonly string[]): boolean =>
  host !== undefined && others.length === 0 && OWN_HOST.test(host);

/** The path as wrangler reads it, in lower case; undefined for a whole address and anything unreadable. */
const pathOf = (target: string): string | undefined => {
  const url = target.startsWith("/") ? `http://localhost${target}` : "";
  return URL.canParse(url) ? new URL(url).pathname.toLowerCase() : undefined;
};
