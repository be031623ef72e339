/** Whether a figure has grown: the medians of the first and the last third of its values, once it is warm. */
import { median } from "../bench/measures.ts";

/** The share of the values that come before it is warm. */
const WARM_UP = 0.25;

/** What may differ between two thirds though nothing grows: the larger of a share and a size. */
type Tolerance = { readonly share: number; readonly atLeast: number };

/** `first` and `last` are the medians. */
export type Growth = {
  readonly first: number;
  readonly last: number;
  readonly mayBe: number;
  readonly isFlat: boolean;
};

/** Needs four values at least, oldest first. */
export const growthOf = (values: readonly number[], { share, atLeast }: Tolerance): Growth => {
  const warm = values.slice(Math.max(1, Math.ceil(values.length * WARM_UP)));
  const third = Math.max(1, Math.floor(warm.length / 3));
  const first = median(warm.slice(0, third));
  const last = median(warm.slice(-third));
  const mayBe = first + Math.max(first * share, atLeast);
  return { first, last, mayBe, isFlat: last <= mayBe };
};
