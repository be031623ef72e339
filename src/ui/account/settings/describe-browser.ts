/** Which browser a user agent names, on which system. */

/** Checked in this order: most of them also claim to be one further down. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** `Chrome on Linux`. Shows only known names, because a client can send anything as its user agent. */
export const describeBrowser = (userAgent: string | null | undefined): { words: string; isPhone: boolean } => {
  const find = (names: typeof BROWSERS): string | undefined =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  const isPhone = system === "iPhone" || (system === "Android" && /\bMobile\b/.test(userAgent ?? ""));
  if (system === undefined) return { words: browser ?? "Unknown browser", isPhone };
  return { words: `${browser ?? "Unknown browser"} on ${system}`, isPhone };
};
