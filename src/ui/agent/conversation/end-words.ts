/** How a run's end is worded. */
import type { TerminalStatus } from "../../../contract/run.ts";

/** One sentence for each end. */
export const END_WORDS: Readonly<Record<TerminalStatus, string>> = {
  completed: "Done.",
  incomplete: "The agent met a limit before it was done.",
  failed: "The agent could not go on.",
  aborted: "Stopped.",
};
