/** Replies that call tools. The provider's ids follow from a call's position, so that a reply requested twice is the same. */
import { callTools } from "../../support/model-script.ts";
import type { Step } from "../world/playing-model.ts";

type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

/** A step in which the model calls tools. `id` and `step` make the calls' ids unique. */
export const callStep = (id: string, step: number, calls: readonly Call[], text?: string): Step => {
  const named = calls.map((call, index) => ({ ...call, id: `toolu_${id}_${step}_${index}` }));
  return () => callTools(named, text === undefined ? {} : { text });
};
