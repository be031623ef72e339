/** A page on a slow device and line, with its vitals counted from before its first byte. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { z } from "zod";

/** A mid-range phone compared with a desktop's core, as Lighthouse assumes it. */
const CPU_SLOWDOWN = 4;

/** "Fast 4G" of Chromium's DevTools: nine tenths of 9 and 1.5 Mbit/s, and 165 ms to every answer. */
const FAST_4G = {
  offline: false,
  downloadThroughput: (9_000_000 / 8) * 0.9,
  uploadThroughput: (1_500_000 / 8) * 0.9,
  latency: 165,
} as const;

/** Pixels for each of the page's: a mid-range phone's, as Lighthouse assumes it. They are drawn without a graphics card here. */
const PIXELS = 1.75;

/** Longest wait for anything on a page, in ms; a slow machine with its CPU slowed fourfold needs it. */
const STEP_TIMEOUT_MS = 20_000;

/** Times in ms. The API names tasks from 50 ms on and events from 16 ms on; 0 is: none of those. */
const Vitals = z.object({ paintMs: z.number(), shift: z.number(), taskMs: z.number(), interactionMs: z.number() });
type Vitals = z.infer<typeof Vitals>;

const COUNT_VITALS = `(() => {
  const vitals = (window.tallyVitals = { paintMs: 0, shift: 0, taskMs: 0, interactionMs: 0 });
  const count = (type, options, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  count("largest-contentful-paint", {}, (entry) => (vitals.paintMs = entry.startTime));
  count("layout-shift", {}, (entry) => (vitals.shift += entry.hadRecentInput ? 0 : entry.value));
  count("longtask", {}, (entry) => (vitals.taskMs = Math.max(vitals.taskMs, entry.duration)));
  count("event", { durationThreshold: 16 }, (entry) => {
    if (entry.interactionId > 0) vitals.interactionMs = Math.max(vitals.interactionMs, entry.duration);
  });
})()`;

/** Observers are told in idle time: two frames, then idle, then what is queued. */
const SETTLE = `new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => setTimeout(done, 100)))))`;

/** A page that is measured; `vitals` counts from the load or the last `restart`. */
export type SlowPage = {
  readonly page: Page;
  vitals(): Promise<Vitals>;
  /** Resets the counts: the load is over, an interaction begins. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

/** Opens an empty page with an empty cache; nothing has been loaded yet. */
export const openSlowPage = async (browser: Browser, device: BrowserContextOptions): Promise<SlowPage> => {
  const context = await browser.newContext({ ...device, deviceScaleFactor: device.isMobile ? PIXELS : 1 });
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  await context.addInitScript({ content: COUNT_VITALS });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", FAST_4G);
  return {
    page,
    vitals: async () => {
      await page.evaluate(SETTLE);
      return Vitals.parse(await page.evaluate("window.tallyVitals"));
    },
    restart: async () => {
      await page.evaluate(SETTLE);
      await page.evaluate("Object.keys(tallyVitals).forEach((name) => { tallyVitals[name] = 0; })");
    },
    close: () => context.close(),
  };
};
