/** Brings a sign-in code to the person: by mail, or on the terminal of the dev command. */
import { type Env, parseSettings } from "../env.ts";
import { sendMail } from "./send-mail.ts";

/** Sends the code. `isLoopback`: printing counts for requests of this machine alone. Rejects when it could not be sent. */
export const sendCode = async (env: Env, email: string, code: string, isLoopback: boolean): Promise<void> => {
  if (parseSettings(env).PRINT_SIGN_IN_CODES && isLoopback) {
    console.log(`Sign-in code for ${email}: ${code}`);
    return;
  }
  await sendMail(env, {
    to: email,
    subject: `${code} is your Tally sign-in code`,
    text: `Your sign-in code for Tally is ${code}.\n\nIt counts for 5 minutes. Nobody from Tally will ask you for it. If you did not want to sign in, you can ignore this mail.\n`,
  });
};

/** Sends the code that a log-in has to enter before its first command. Rejects when it could not be sent. */
export const sendFreshCode = (env: Env, email: string, code: string): Promise<void> =>
  sendMail(env, {
    to: email,
    subject: `${code} lets your browser allow commands in Tally`,
    text: `Your code for Tally is ${code}.\n\nYou, or somebody who is signed in as you, want to allow the agent its first command in this browser. The code counts for 5 minutes. If that was not you, do not enter it: sign in and sign out all other browsers under Account.\n`,
  });
