/** The budgets of the project, as ratios to a floor that runs in the same minute on the same machine. */
import { fanOut, fanOutCpu, firstEvent, lateJoin, listRead, type Measure, manyTurns, turnStart } from "./measures.ts";

/** `floor ×`: a bound on product / floor. `absolute`: on the product's own figure. */
export type Budget = {
  readonly name: string;
  readonly unit: "deltas/s" | "ms";
  readonly measure: Measure;
  readonly bound: { readonly of: "floor" | "absolute"; readonly is: "at least" | "at most"; readonly value: number };
};

const DELTAS = 2_000;

/** In the order of the table. */
export const BUDGETS: readonly Budget[] = [
  {
    name: "2,000 deltas to 1 subscriber",
    unit: "deltas/s",
    measure: fanOut(DELTAS, 1),
    bound: { of: "absolute", is: "at least", value: 20_000 },
  },
  {
    name: "2,000 deltas to 100 subscribers",
    unit: "deltas/s",
    measure: fanOut(DELTAS, 100),
    bound: { of: "floor", is: "at least", value: 1 },
  },
  {
    name: "2,000 deltas to 500 subscribers",
    unit: "deltas/s",
    measure: fanOut(DELTAS, 500),
    bound: { of: "floor", is: "at least", value: 1 },
  },
  {
    name: "server CPU of that, 500 subscribers",
    unit: "ms",
    measure: fanOutCpu(DELTAS, 500),
    bound: { of: "floor", is: "at most", value: 1 },
  },
  {
    name: "POST turn to its answer, p50",
    unit: "ms",
    measure: turnStart(50),
    bound: { of: "floor", is: "at most", value: 1.5 },
  },
  {
    name: "POST turn to first event over model, p50",
    unit: "ms",
    measure: firstEvent(30),
    bound: { of: "absolute", is: "at most", value: 20 },
  },
  {
    name: "list-stocks of 100, p50",
    unit: "ms",
    measure: listRead(300),
    bound: { of: "floor", is: "at most", value: 1.15 },
  },
  {
    name: "late joiner of 2,000 deltas, p50",
    unit: "ms",
    measure: lateJoin(DELTAS, 20),
    bound: { of: "floor", is: "at most", value: 1.5 },
  },
  {
    // This floor stores nothing, has one object for each turn and asks no model: decision 0201 says what of the ratio that is.
    name: "50 turns of 200 deltas at once",
    unit: "ms",
    measure: manyTurns(50, 200),
    bound: { of: "floor", is: "at most", value: 2 },
  },
];

/** Signed in by a code, against the same with sign-in off. */
export const SIGNED_IN_BUDGETS: readonly Budget[] = [
  {
    name: "POST turn signed in, p50 (floor: AUTH_DISABLED)",
    unit: "ms",
    measure: turnStart(50),
    bound: { of: "floor", is: "at most", value: 1.2 },
  },
];
