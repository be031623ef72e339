/** Whether this is an iPhone or an iPad, which says that it is a Mac. */
export const isAppleMobile = (): boolean =>
  /\b(iPhone|iPad)\b/.test(navigator.userAgent) ||
  (/\bMacintosh\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
