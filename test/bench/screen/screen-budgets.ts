/** The budgets of the screens: absolute, on a phone four times slower than this machine. */

/** `/stocks` with 1,000 stocks where no other number is named. */
export const SCREEN_BUDGETS = {
  scriptKb: { name: "/stocks: JS gz before its paint", unit: "KB", bound: atMost(40) },
  styleKb: { name: "/stocks: CSS gz before its paint", unit: "KB", bound: atMost(10) },
  paintMs: { name: "/stocks: LCP", unit: "ms", bound: atMost(1_800) },
  shift: { name: "/stocks: CLS", unit: "", bound: atMost(0.02) },
  typingMs: { name: "typing in the search: INP", unit: "ms", bound: atMost(100) },
  typingBesideMs: { name: "typing beside a 2,000-delta answer: INP", unit: "ms", bound: atMost(100) },
  scrollTaskMs: { name: "scrolling 5,000: longest task (0: below 50)", unit: "ms", bound: atMost(50) },
} as const;

/** What one scenario measured, by budget. */
export type ScreenFigures = Partial<Record<keyof typeof SCREEN_BUDGETS, number>>;

function atMost(value: number) {
  return { of: "absolute", is: "at most", value } as const;
}
