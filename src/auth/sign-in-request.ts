/** Bodies of the two sign-in routes, and an e-mail as people type it. */
import * as z from "zod";

/**
 * An e-mail as it is typed: trimmed and lower-cased. Other characters than ASCII are refused before that, since lower-casing
 * makes a plain `k` of the Kelvin sign, and so one person's address of another's.
 */
export const TypedEmail = z
  .string()
  .max(254)
  .regex(/^[ -~]*$/)
  .trim()
  .toLowerCase()
  .pipe(z.email());

/** `POST /email-otp/send-verification-otp`. `type` is better-auth's, and may be left out. */
export const CodeRequest = z.object({ email: TypedEmail, type: z.literal("sign-in").optional() });

/** `POST /sign-in/email-otp`. Nothing but these reaches better-auth. */
export const SignInRequest = z.object({
  email: TypedEmail,
  otp: z
    .string()
    .trim()
    .regex(/^\d{6}$/),
});
