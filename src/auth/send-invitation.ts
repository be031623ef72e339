/** Tells somebody that they are invited into an organization: by mail, or on the terminal of the dev command. */
import { type Env, parseSettings } from "../env.ts";
import { sendMail } from "./send-mail.ts";

/** Both e-mails are plain ASCII and checked; `origin` is where Tally is. */
export type InvitationNote = { readonly to: string; readonly inviter: string; readonly origin: string };

/** Sends it. `isLoopback`: printing counts for requests of this machine alone. Rejects when it could not be sent. */
export const sendInvitation = async (env: Env, note: InvitationNote, isLoopback: boolean): Promise<void> => {
  const { to, inviter, origin } = note;
  if (parseSettings(env).PRINT_SIGN_IN_CODES && isLoopback) {
    console.log(`Invitation for ${to} from ${inviter}: accept it under Account at ${origin}/`);
    return;
  }
  await sendMail(env, { to, subject: "You are invited to an organization in Tally", text: textOf(note) });
};

/**
 * Nothing but the inviter's own address is theirs in it, not even the organization's name: who could write here could send
 * anything to anybody in our name.
 */
const textOf = ({ to, inviter, origin }: InvitationNote): string => `${inviter} invites you to an organization in Tally.

Sign in at ${origin}/ as ${to}. The invitation stands under Account, in the menu with your address: there you see which organization it is, and accept or decline.

It counts for 48 hours. If you do not know ${inviter}, you can ignore this mail.
`;
