/** Constants of better-auth's set-up that the rest of the app needs; in a file of their own because better-auth loads late. */

/** The path of its routes. */
export const AUTH_PATH = "/_framework/auth";

/**
 * Prefix of its cookies. Over https `__Host-` comes first: a browser accepts such a cookie only from this very host, so no other
 * host of the domain can replace it with a log-in of its own (RFC 6265bis, section 4.1.3.2).
 */
export const COOKIE_PREFIX = "tally";

/** How long a log-in lasts even if it is used, in ms: a stolen one must end some day. */
export const MAX_LOGIN_MS = 90 * 24 * 60 * 60_000;
