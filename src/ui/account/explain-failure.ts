import { ApiError } from "../api/api-error.ts";
import { asciiDigits } from "../format/ascii-digits.ts";

/** A wait in words: `1 second`, `40 seconds`, `12 minutes`. Rounded up, so that it is never too short. */
export const sayWait = (seconds: number): string => {
  if (seconds <= 90) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
};

/** Says what went wrong in the server's words, with the wait it asks for. */
export const explainSignIn = (error: unknown): string => {
  if (!(error instanceof ApiError)) return "Something went wrong. Try again.";
  if (error.status !== 429) return error.message;
  const wait = error.retryAfterSeconds === undefined ? "later" : `in ${sayWait(error.retryAfterSeconds)}`;
  return `Too many attempts. Try again ${wait}.`;
};

/** Digits of a code. */
export const CODE_LENGTH = 6;

/** The first six digits of a text, as ASCII: people paste `123 456`, or a whole line of the mail, and type `١٢٣٤٥٦`. */
export const readCode = (text: string): string => asciiDigits(text).replace(/\D/g, "").slice(0, CODE_LENGTH);
