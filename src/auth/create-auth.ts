/**
 * better-auth as this app uses it: one-time codes by e-mail, organizations, log-ins in D1. Only `auth-for.ts` imports this file, when
 * the first request with a log-in comes: a Worker starts without better-auth.
 */
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { getCookieCache } from "better-auth/cookies";
import { betterAuth } from "better-auth/minimal";
import { emailOTP } from "better-auth/plugins/email-otp";
import { organization } from "better-auth/plugins/organization";
import { log } from "../contract/log.ts";
import { openDb } from "../db/db.ts";
import type { Env } from "../env.ts";
import { AUTH_PATH, COOKIE_PREFIX } from "./auth-constants.ts";
import { invitations, logins, members, organizations, signInCodes, users } from "./auth-tables.ts";
import { MAX_ORGANIZATIONS, MAX_PEOPLE } from "./organizations.ts";

const MINUTE_S = 60;
const DAY_S = 24 * 60 * MINUTE_S;

/** How long a log-in lasts without being used, in seconds. */
const LOGIN_S = 30 * DAY_S;

/** How long a code is valid, and how many wrong tries make it invalid. */
const CODE_S = 5 * MINUTE_S;
const CODE_TRIES = 5;

/** How long reads trust the cookie without querying D1: the longest that a revoked log-in can still read. */
const CACHE_S = 5 * MINUTE_S;

/** A message of better-auth at every sign-out: it looks for accounts at other sites to sign out of, and there is no table of them. */
const NO_PROVIDERS = "Failed to create provider logout URL";

const cookiePrefix = (isSecure: boolean): string => (isSecure ? `__Host-${COOKIE_PREFIX}` : COOKIE_PREFIX);

/** The token of the log-in whose signed copy is in a request's cookies; undefined without a valid one. */
export const readSignedCopy = async (request: Request, secret: string): Promise<string | undefined> => {
  const prefix = cookiePrefix(request.url.startsWith("https:"));
  return (await getCookieCache(request, { secret, cookiePrefix: prefix, isSecure: false }))?.session.token;
};

/** Only the origin of the request's own site is trusted. */
export const createAuth = (env: Env, secret: string, origin: string) => {
  const isSecure = origin.startsWith("https:");
  return betterAuth({
    appName: "Tally",
    secret,
    baseURL: origin,
    basePath: AUTH_PATH,
    trustedOrigins: [origin],
    database: drizzleAdapter(openDb(env.DB), {
      provider: "sqlite",
      schema: {
        user: users,
        session: logins,
        verification: signInCodes,
        organization: organizations,
        member: members,
        invitation: invitations,
      },
    }),
    session: {
      expiresIn: LOGIN_S,
      updateAge: DAY_S,
      // Old log-ins may list and revoke too: what protects a person must not require a new code first.
      freshAge: 0,
      cookieCache: { enabled: true, maxAge: CACHE_S },
    },
    user: { changeEmail: { enabled: false }, deleteUser: { enabled: false } },
    plugins: [
      emailOTP({
        otpLength: 6,
        expiresIn: CODE_S,
        allowedAttempts: CODE_TRIES,
        storeOTP: "hashed",
        // `http/routes/auth-route` creates the codes, and answers when one cannot be sent.
        sendVerificationOTP: () => Promise.reject(new Error("This route is not open.")),
      }),
      organization({
        requireEmailVerificationOnInvitation: true,
        organizationLimit: MAX_ORGANIZATIONS,
        // A number would also cut the list of members of an organization that has grown larger before.
        membershipLimit: async () => MAX_PEOPLE,
        // Otherwise a second invitation would renew the first one, with the first one's role.
        cancelPendingInvitationsOnReInvite: true,
      }),
    ],
    advanced: {
      cookiePrefix: cookiePrefix(isSecure),
      // Otherwise better-auth would put its own `__Secure-` in front.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure, path: "/" },
      // Both are off by default when NODE_ENV is test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      database: { generateId: "uuid", validateSchema: false },
      // Set by Cloudflare; a client cannot.
      ipAddress: { ipAddressHeaders: ["cf-connecting-ip"] },
    },
    // Counted in D1 by `count-attempts.ts`, by e-mail as well as by address.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Otherwise better-auth itself prints errors that it did not expect, with the values of a failed query.
    onAPIError: { throw: true },
    logger: {
      level: "warn",
      log: (level, message, ...details: unknown[]) => {
        const error = details.find((detail) => detail instanceof Error);
        if (message !== NO_PROVIDERS) log[level === "error" ? "error" : "warn"](`Sign-in: ${message}`, { error });
      },
    },
  });
};
