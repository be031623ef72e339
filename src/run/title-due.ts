/** When a run's end asks for the title of its thread. The asking: `run/drive/ask-for-title`. */
import type { RunSpec } from "./run-spec.ts";
import type { EndedState } from "./run-state.ts";

/** The outbox receiver: comes last, since nothing may wait for a model. */
export const TITLE = "title";

/** Whether a run that ended like this asks for a title: what was stopped or failed may not be what the chat will be about. */
export const asksForTitle = ({ wantsTitle }: RunSpec, status: EndedState["status"]): boolean =>
  wantsTitle === true && status === "completed";
