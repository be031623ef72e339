/** Sends a notice by mail: plain text with one link. */
import { findAuthSecret } from "../auth/auth-secret.ts";
import { countAttempt, mailsOfAll, noticesBy } from "../auth/count-attempts.ts";
import { sendMail } from "../auth/send-mail.ts";
import { log } from "../contract/log.ts";
import type { Db } from "../db/db.ts";
import type { DueNotice } from "../db/notices/outbox.ts";
import type { Env } from "../env.ts";
import { parseSettings } from "../settings.ts";
import { UNSUBSCRIBE_PATH, unsubscribeToken } from "./unsubscribe.ts";

/** This app's address, without a slash at its end; undefined where `APP_ORIGIN` does not say it. */
const originOf = ({ APP_ORIGIN = "" }: Pick<Env, "APP_ORIGIN">): string | undefined =>
  URL.canParse(APP_ORIGIN) ? new URL(APP_ORIGIN).origin : undefined;

/** Why somebody who has chosen pushes gets a mail. */
const INSTEAD =
  "\nThis comes by mail because pushes no longer reach your devices. Open Account in Tally to turn them on again.\n";

/** Mails a notice that has been claimed for good: it is sent once at the most. Never rejects. */
export const mailNotice = async (
  env: Env,
  db: Db,
  {
    owner_email: to,
    title,
    url,
    kind,
    isInstead,
  }: Pick<DueNotice, "owner_email" | "title" | "url" | "kind"> & { readonly isInstead: boolean },
  nowMs: number,
): Promise<void> => {
  const origin = originOf(env);
  const link = `${origin}${url}`;
  if (parseSettings(env).PRINT_NOTICES) {
    console.log(`Notice for ${to}: ${title}. ${link}`);
    return;
  }
  try {
    if (origin === undefined) throw new Error("APP_ORIGIN is not set, so a notice has no address to name.");
    const secret = findAuthSecret(env);
    const limits = [...noticesBy(to, env), ...mailsOfAll(env)];
    const waitS = secret === undefined ? undefined : await countAttempt(db, secret, limits, nowMs);
    if (waitS !== undefined) throw new Error("The hourly mail limit is reached.");
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
  } catch (error) {
    log.error("A notice was not mailed.", { kind, error });
  }
};
