/** Whether the app runs in a window of its own, from a home screen or a dock. */
export const isInstalled = (): boolean => matchMedia("(display-mode: standalone)").matches;

/** Whether this is an iPhone or an iPad, which says that it is a Mac. */
export const isAppleMobile = (): boolean =>
  /\b(iPhone|iPad)\b/.test(navigator.userAgent) ||
  (/\bMacintosh\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
