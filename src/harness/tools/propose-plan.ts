/** The tool that proposes a plan. The person accepts it, which ends plan mode, or says what to change. */
import * as z from "zod";
import { groupDigits, wellFormed } from "../../contract/plain-text.ts";
import { PLAN_ACCEPTED, PROPOSE_PLAN } from "../plan-mode.ts";
import { inputTool } from "./input-tool.ts";

/** Longest plan, in UTF-16 units: it is read whole before it is accepted, and goes whole into one frame of the stream. */
const MAX_PLAN_LENGTH = 10_000;

const REMEDY = `use 1 to ${groupDigits(MAX_PLAN_LENGTH)} characters`;

const PlanInput = z.strictObject({
  markdown: z
    .string(REMEDY)
    .overwrite(wellFormed)
    .trim()
    .min(1, REMEDY)
    .max(MAX_PLAN_LENGTH, REMEDY)
    .describe("The whole plan as Markdown: what you will change, in which order, and how you will check it."),
});

/** `propose_plan`. */
export const proposePlanTool = inputTool({
  name: PROPOSE_PLAN,
  kind: "read",
  asksPerson: true,
  description:
    "Proposes a plan in a turn that is in plan mode, and waits until the person accepts it or says what to change. Only there.",
  input: PlanInput,
  prepare: ({ markdown }) => ({
    title: "Propose a plan",
    mayBecomeRule: false,
    propose: async () => ({ subject: { type: "plan", markdown } }),
    run: async () => ({ output: PLAN_ACCEPTED, isError: false }),
  }),
});
