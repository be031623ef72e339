/** Sends a mail of this app: plain text, from the one address it has. */
import type { Env } from "../env.ts";

/** What is sent. `subject` is never made of what a person has typed: a line break there would begin another header. */
export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/** Rejects when it could not be sent. */
export const sendMail = async ({ MAIL, MAIL_FROM }: Env, mail: Mail): Promise<void> => {
  if (MAIL === undefined || !MAIL_FROM) {
    throw new Error("No mail can be sent. Set MAIL_FROM to an address of a domain with Email Routing.");
  }
  await MAIL.send({ from: { email: MAIL_FROM, name: "Tally" }, ...mail });
};
