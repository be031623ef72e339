/** The two screens that everything is looked at on: a small phone and a plain desktop. */
import type { BrowserContextOptions } from "playwright-core";

/** What all contexts have in common; dates and numbers read the same on every machine. */
const PLACE = { locale: "en-US", timezoneId: "UTC" } as const;

/** 360 × 740 is among the narrowest phones in wide use. */
export const PHONE: BrowserContextOptions = {
  ...PLACE,
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
};

/** A laptop's window. */
export const DESKTOP: BrowserContextOptions = { ...PLACE, viewport: { width: 1_280, height: 800 } };
