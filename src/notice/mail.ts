/** Sends a notice by mail: plain text with one link. */
import { findAuthSecret } from "../auth/auth-secret.ts";
import { countAttempt, noticesOfAll, noticesTo } from "../auth/count-attempts.ts";
import { mailCode, sendMail } from "../auth/send-mail.ts";
import { log } from "../contract/log.ts";
import type { Db } from "../db/db.ts";
import type { DueNotice } from "../db/notices/outbox.ts";
import type { Env } from "../env.ts";
import { parseSettings } from "../settings.ts";
import { UNSUBSCRIBE_PATH, unsubscribeToken } from "./unsubscribe.ts";

/**
 * This app's address, without a slash at its end; undefined if `APP_ORIGIN` is not one. `tally.example.com:443` is not an address.
 * HTTP is only for the dev command: Email Service refuses such links (https://developers.cloudflare.com/email-service/reference/headers/).
 */
const originOf = (env: Env): string | undefined => {
  const origin = URL.parse(env.APP_ORIGIN ?? "")?.origin;
  return origin?.startsWith(parseSettings(env).PRINT_NOTICES ? "http" : "https:") ? origin : undefined;
};

/** `isInstead`: it is mailed although its owner has chosen pushes. `isCounted`: the hour had a place for it. */
type MailedNotice = Pick<DueNotice, "owner_email" | "title" | "url" | "kind"> & {
  readonly isInstead: boolean;
  readonly isCounted: boolean;
};

/** Why somebody who has chosen pushes gets a mail. */
const INSTEAD =
  "\nYou get this by email because push notifications no longer reach your devices. Open Account in Tally to turn them on again.\n";

/**
 * Whether the hour has a place for a mail. `enough`: its owner has been mailed as often as one person may be. `waitMs`: everybody's mails
 * for the hour are used up, or the app's address is not known; try again after this time.
 */
type MailPlace = "counted" | "enough" | { readonly waitMs: number };

/** How long a mail waits, in ms, before the app's address is looked for again. */
const ORIGIN_WAIT_MS = 600_000;

/** Counts a mail. Call it before the mail's notice is claimed for good: if it fails, the notice can still be sent later. */
export const countMail = async (env: Env, db: Db, to: string, nowMs: number): Promise<MailPlace> => {
  if (originOf(env) === undefined) {
    log.error("A notice waits to be mailed: APP_ORIGIN is no address such as https://tally.example.com.");
    return { waitMs: ORIGIN_WAIT_MS };
  }
  const secret = findAuthSecret(env);
  if (secret === undefined || parseSettings(env).PRINT_NOTICES) return "counted";
  if ((await countAttempt(db, secret, noticesTo(to), nowMs)) !== undefined) return "enough";
  const seconds = await countAttempt(db, secret, noticesOfAll(env), nowMs);
  return seconds === undefined ? "counted" : { waitMs: seconds * 1_000 };
};

/** Cloudflare's limits that refuse a mail for now. The daily limit applies to the whole account. */
const LIMITS: ReadonlySet<string | undefined> = new Set(["E_RATE_LIMIT_EXCEEDED", "E_DAILY_LIMIT_EXCEEDED"]);

/** How long such a mail waits, in ms. Each try counts as one of the mails that the person may get in an hour. */
const LIMIT_WAIT_MS = 3_600_000;

/**
 * Mails a notice that has been counted and claimed for good: it is sent once at the most. Never rejects. Returns the ms after which it
 * may be sent if a limit refuses it; undefined in all other cases.
 */
export const mailNotice = async (
  env: Env,
  { owner_email: to, title, url, kind, isInstead, isCounted }: MailedNotice,
): Promise<number | undefined> => {
  const origin = originOf(env);
  const link = `${origin}${url}`;
  if (parseSettings(env).PRINT_NOTICES) {
    console.log(`Notice for ${to}: ${title}. ${link}`);
    return undefined;
  }
  try {
    if (!isCounted) throw new Error("The hourly mail limit is reached.");
    const token = await unsubscribeToken(env, to);
    await sendMail(env, {
      to,
      subject: title,
      text: `${title}.\n\n${link}\n${isInstead ? INSTEAD : ""}`,
      ...(token && {
        headers: {
          "List-Unsubscribe": `<${origin}${UNSUBSCRIBE_PATH}/${token}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
      }),
    });
    return undefined;
  } catch (error) {
    const code = mailCode(error);
    log.error("A notice was not mailed.", { kind, code, error });
    return LIMITS.has(code) ? LIMIT_WAIT_MS : undefined;
  }
};
