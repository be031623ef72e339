/** International securities identification numbers: shape and check digit (ISO 6166). */
import * as z from "zod";

const REMEDY = "use a 12-character ISIN with a valid check digit, such as US0378331005, or null";

/** An ISIN, upper-cased. Not unique: one security can be listed on several exchanges. */
export const Isin = z.string(REMEDY).trim().toUpperCase().refine(isIsin, { error: REMEDY });

/** Two letters, nine letters or digits, and a check digit that makes the Luhn sum a multiple of ten. */
function isIsin(text: string): boolean {
  return /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text) && luhnSum(inDigits(text)) % 10 === 0;
}

/** Letters count as 10 to 35, written out as two digits each. */
const inDigits = (text: string): string => text.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));

/** From the right, every second digit counts double, a two-digit double as the sum of its digits. */
const luhnSum = (digits: string): number =>
  [...digits]
    .reverse()
    .map((digit, place) => Number(digit) * (place % 2 === 0 ? 1 : 2))
    .reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0);
