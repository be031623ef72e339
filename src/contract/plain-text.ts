/** Free text: cutting it, and mending what came in broken. */

/** The first `maxLength` UTF-16 units of `text`, one fewer if that would cut a character in half. */
export const cutText = (text: string, maxLength: number): string => {
  if (text.length <= maxLength) return text;
  const endsInHalf = /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1));
  return text.slice(0, Math.max(0, endsInHalf ? maxLength - 1 : maxLength));
};

/**
 * Groups digits: `12,000`. For texts made when a Worker starts: the platform's own formats take 10 ms of CPU there when one of them is
 * first used.
 */
export const groupDigits = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

/**
 * The text with U+FFFD for each half of a surrogate pair; schemas use it as `overwrite` for free text. UTF-8 cannot encode half a
 * pair, and the model's provider refuses every request that has one, so a conversation that contains it is lost.
 */
export const wellFormed = (text: string): string => text.toWellFormed();

/**
 * Text from elsewhere as one line of what can be seen, cut to `maxLength`. Controls, marks that reorder the text around them, and
 * characters of no width or of no meaning, in which words can be hidden, become blanks.
 */
export const visibleLine = (text: string, maxLength: number): string =>
  cutText(
    text
      .toWellFormed()
      .normalize("NFC")
      .replace(/[\p{C}\p{Z}\p{Variation_Selector}\s]+/gu, " ")
      .trim(),
    maxLength,
  );
