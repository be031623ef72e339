/** Cuts a text without splitting a character that UTF-16 spells with two units. */

/** The first `maxLength` UTF-16 units of `text`, one fewer where that would end in half a character. */
export const cutText = (text: string, maxLength: number): string => {
  if (text.length <= maxLength) return text;
  const endsInHalf = /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1));
  return text.slice(0, Math.max(0, endsInHalf ? maxLength - 1 : maxLength));
};
