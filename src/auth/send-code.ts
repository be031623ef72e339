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
