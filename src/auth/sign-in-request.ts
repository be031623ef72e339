/** Bodies of the two sign-in routes, and an e-mail as people type it. */
import * as z from "zod";

/**
 * An e-mail as it is typed: trimmed and lower-cased. Characters outside ASCII are refused before that, because lower-casing turns
 * the Kelvin sign into a plain `k`, and so one person's address into another's.
 */
export const TypedEmail = z
  .string()
  .max(254)
  .regex(/^[ -~]*$/)
  .trim()
  .toLowerCase()
  .pipe(z.email());

/** `POST /email-otp/send-verification-otp`. `type` is better-auth's, and optional here. */
export const CodeRequest = z.object({ email: TypedEmail, type: z.literal("sign-in").optional() });

/** `POST /sign-in/email-otp`. Only these fields reach better-auth. */
export const SignInRequest = z.object({
  email: TypedEmail,
  otp: z
    .string()
    .trim()
    .regex(/^\d{6}$/),
});
