/** Sends this app's mails: plain text, from its one address. Has the texts for sign-in codes, invitations and news of a new device. */
import type { Db } from "../db/db.ts";
import type { Env } from "../env.ts";
import { parseSettings } from "../settings.ts";

/**
 * What is sent. A line break in `subject` would begin another header, so of what people have typed it contains only a stock's symbol, which
 * cannot have one.
 */
type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Why Email Service refused a mail, such as `E_RATE_LIMIT_EXCEEDED`; undefined for any other error.
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/#error-codes
 */
export const mailCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? String(error.code) : undefined;

/** Sends a mail. Rejects when it could not be sent. */
export const sendMail = async (env: Env, mail: Mail): Promise<void> => {
  if (parseSettings(env).OFFLINE) throw new Error("No mail is sent while OFFLINE is set.");
  const { MAIL, MAIL_FROM } = env;
  if (MAIL === undefined || !MAIL_FROM) {
    throw new Error("No mail can be sent. Set MAIL_FROM to an address of a domain that is set up for Email Sending.");
  }
  await MAIL.send({ from: { email: MAIL_FROM, name: "Tally" }, ...mail });
};

/**
 * Sends the code. Under the dev command it is printed instead, but only for requests from this machine (`isLoopback`). Rejects when it
 * could not be sent.
 */
export const sendCode = async (env: Env, email: string, code: string, isLoopback: boolean): Promise<void> => {
  if (parseSettings(env).PRINT_SIGN_IN_CODES && isLoopback) {
    console.log(`Sign-in code for ${email}: ${code}`);
    return;
  }
  await sendMail(env, {
    to: email,
    subject: `${code} is your Tally sign-in code`,
    text: `Your sign-in code for Tally is ${code}.\n\nIt is valid for 5 minutes. Nobody from Tally will ask you for it. If you did not try to sign in, you can ignore this mail.\n`,
  });
};

/** Sends the code that a log-in must enter before its first command. Rejects when it could not be sent. */
export const sendFreshCode = (env: Env, email: string, code: string): Promise<void> =>
  sendMail(env, {
    to: email,
    subject: `${code} is your Tally code to allow commands`,
    text: `Your code for Tally is ${code}.\n\nYou, or somebody signed in as you, are about to let the agent run a command, for the first time since signing in. The code is valid for 5 minutes. If that was not you, do not enter it. Sign in, open Account and sign out all other devices.\n`,
  });

/** Both e-mails are plain ASCII and checked; `origin` is Tally's address. */
type InvitationNote = { readonly to: string; readonly inviter: string; readonly origin: string };

/**
 * Tells somebody that they are invited to an organization: by mail, or on the terminal of the dev command, but only for requests
 * from this machine (`isLoopback`). Rejects when it could not be sent.
 */
export const sendInvitation = async (env: Env, note: InvitationNote, isLoopback: boolean): Promise<void> => {
  const { to, inviter, origin } = note;
  if (parseSettings(env).PRINT_SIGN_IN_CODES && isLoopback) {
    console.log(`Invitation for ${to} from ${inviter}: accept it under Account at ${origin}/`);
    return;
  }
  await sendMail(env, { to, subject: "You are invited to an organization in Tally", text: textOf(note) });
};

/**
 * The mail contains nothing of the inviter's but their address, not even the organization's name: with free text, anybody could use it to
 * send anything to anybody in our name.
 */
const textOf = ({ to, inviter, origin }: InvitationNote): string => `${inviter} invites you to an organization in Tally.

Sign in at ${origin}/ as ${to}. You will find the invitation under Account, in the menu with your address: there you can see which organization it is, and accept or decline.

It is valid for 48 hours. If you do not know ${inviter}, you can ignore this mail.
`;

type Row = { readonly created_at_ms: number; readonly alike: number };

/**
 * Whether the newest log-in of a person came from a different kind of browser than their others, or is the only one. False for
 * an account created by this log-in, at `sinceMs` or later: there is nobody to warn yet.
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

/** Sends the mail about a new device. It does not quote the browser: a stranger could write anything there. */
export const tellOfDevice = (env: Env, to: string, atMs: number, origin: string): Promise<void> =>
  sendMail(env, {
    to,
    subject: "New sign-in to Tally",
    text: `Somebody has signed in to Tally as ${to}, from a browser that was not signed in at the time, at ${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC.

If that was you, there is nothing to do. If not: sign in at ${origin}/, open Account in the menu with your address, and sign out all other devices. Whoever it was can read your mail; change its password, too.
`,
  });
