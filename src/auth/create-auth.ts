/** better-auth as this app uses it: one-time codes by e-mail, organizations, log-ins in D1. Only `auth/` knows it. */
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { betterAuth } from "better-auth/minimal";
import { emailOTP } from "better-auth/plugins/email-otp";
import { organization } from "better-auth/plugins/organization";
import { openDb } from "../db/db.ts";
import type { Env } from "../env.ts";
import { findAuthSecret } from "./auth-secret.ts";
import { invitations, logins, members, organizations, signInCodes, users } from "./auth-tables.ts";

/** Where its routes are. */
export const AUTH_PATH = "/_framework/auth";

/**
 * What its cookies begin with; over https `__Host-` comes before: a browser takes such a cookie from this very host alone, so no
 * other host of the domain can put a log-in of its own into its place (RFC 6265bis, section 4.1.3.2).
 */
export const COOKIE_PREFIX = "tally";

const MINUTE_S = 60;
const DAY_S = 24 * 60 * MINUTE_S;

/** How long a log-in lasts without being used, in seconds. */
const LOGIN_S = 30 * DAY_S;

/** How long a log-in lasts however much it is used, in ms: what was stolen once ends one day. */
export const MAX_LOGIN_MS = 90 * DAY_S * 1_000;

/** How long a code counts, and how many wrong ones may be tried before it does not. */
const CODE_S = 5 * MINUTE_S;
const CODE_TRIES = 5;

/** How long reads believe the cookie without asking D1: the longest a revoked log-in can still look at something. */
const CACHE_S = 5 * MINUTE_S;

/** Organizations one person can be in; what better-auth allows besides is 100 people and 100 open invitations in each. */
const MAX_ORGANIZATIONS = 20;

/** What better-auth says at every sign-out: it looks for accounts elsewhere to sign out of, and here is no table of them. */
const NO_PROVIDERS = "Failed to create provider logout URL";

/** The one origin of a request's own site is trusted. */
const build = (env: Env, secret: string, origin: string) => {
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
      // Old log-ins may list and revoke as well: what protects a person must not ask for a new code first.
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
        // Codes are made by `http/auth-route`, which also answers when one cannot be sent.
        sendVerificationOTP: () => Promise.reject(new Error("This route is not open.")),
      }),
      organization({ requireEmailVerificationOnInvitation: true, organizationLimit: MAX_ORGANIZATIONS }),
    ],
    advanced: {
      cookiePrefix: isSecure ? `__Host-${COOKIE_PREFIX}` : COOKIE_PREFIX,
      // It would put its own `__Secure-` before that.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure, path: "/" },
      // Both are off by default where NODE_ENV says test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      database: { generateId: "uuid", validateSchema: false },
      // Set by Cloudflare; a client cannot.
      ipAddress: { ipAddressHeaders: ["cf-connecting-ip"] },
    },
    // Counted in D1 by `count-attempts.ts`, by e-mail as well as by address.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      level: "warn",
      log: (level, message) => {
        if (message !== NO_PROVIDERS) console.warn(JSON.stringify({ level, message: `Sign-in: ${message}` }));
      },
    },
  });
};

/** better-auth for one origin. */
export type Auth = ReturnType<typeof build>;

/** Most origins an environment is kept for: a Worker has a few, and what a `Host` header says is anybody's. */
const MAX_ORIGINS = 8;

/** What was made, by environment and origin: making one costs more than all else of a request's sign-in check. */
const made = new WeakMap<Env, Map<string, Auth>>();

/** better-auth for the site a request came to, or undefined without a usable secret. */
export const authFor = async (env: Env, url: string): Promise<Auth | undefined> => {
  const { origin } = new URL(url);
  const known = made.get(env)?.get(origin);
  if (known !== undefined) return known;
  const secret = findAuthSecret(env);
  if (secret === undefined) return undefined;
  const auth = build(env, secret, origin);
  // Whole before it is shared: no request waits for what another one has begun.
  await auth.$context;
  const origins = made.get(env) ?? new Map<string, Auth>();
  if (origins.size >= MAX_ORIGINS) origins.clear();
  made.set(env, origins.set(origin, auth));
  return auth;
};
