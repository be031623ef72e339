/** Tells a person that somebody has signed in as them from a browser that is not among those they are signed in with. */
import type { Db } from "../db/db.ts";
import type { Env } from "../env.ts";
import { sendMail } from "./send-mail.ts";

type Row = { readonly created_at_ms: number; readonly alike: number };

/**
 * Whether the newest log-in of a person came from another kind of browser than their other ones, or is alone. An account that
 * was made by it, at `sinceMs` or later, is nobody's yet who could be told.
 */
export const isNewDevice = async ({ $client: d1 }: Db, email: string, sinceMs: number): Promise<boolean> => {
  const row = await d1
    .prepare(
      `SELECT created_at_ms, (SELECT count(*) FROM logins WHERE user_id = users.id AND user_agent IS (
         SELECT user_agent FROM logins WHERE user_id = users.id ORDER BY created_at_ms DESC, rowid DESC LIMIT 1)) AS alike
       FROM users WHERE email = ?`,
    )
    .bind(email)
    .first<Row>();
  return row !== null && row.created_at_ms < sinceMs && row.alike < 2;
};

/** Sends the mail. Nothing in it is the browser's own words: a stranger could write here what they like. */
export const tellOfDevice = (env: Env, to: string, atMs: number, origin: string): Promise<void> =>
  sendMail(env, {
    to,
    subject: "New sign-in to Tally",
    text: `Somebody has signed in to Tally as ${to}, from a browser that was not signed in before, at ${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC.

If that was you, there is nothing to do. If not: sign in at ${origin}/, open Account in the menu with your address, and sign out all other browsers. Whoever it was can read your mail; change its password, too.
`,
  });
