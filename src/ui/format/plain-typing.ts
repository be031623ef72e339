/** One spelling for the many ways to type the same digit, sign, space or apostrophe. */

/** Where the ten digits of scripts begin that locales write numbers in. NFKC leaves them as they are. */
const ZEROS = [0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20];
const MORE_ZEROS = [0x1040, 0x17e0, 0x1810, 0x1c50];

const toAsciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  const zero = [...ZEROS, ...MORE_ZEROS].find((start) => code >= start && code < start + 10);
  return zero === undefined ? digit : String(code - zero);
};

/** Marks that steer the direction of text. They come with numbers that were copied, and cannot be seen. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * Typed text with ASCII digits, `-`, `'` and single spaces, trimmed. Digits that are part of a sign, such as `½` and
 * `²`, are left: made plain, `10²` would read 102.
 */
export const plainTyping = (text: string): string =>
  text
    .replace(/[’‘ʼ´`′]/g, "'")
    .replace(/[^\p{No}\p{Nl}]+/gu, (part) => part.normalize("NFKC"))
    .replace(DIRECTION_MARKS, "")
    .replace(/\p{Nd}/gu, toAsciiDigit)
    .replace(/[−‒–﹣]/g, "-")
    .replace(/\s+/g, " ")
    .trim();
