/** How a run's end is worded. */
import type { TerminalStatus } from "../../../contract/run.ts";

const END_WORDS: Readonly<Record<TerminalStatus, string>> = {
  completed: "Done.",
  incomplete: "The agent met a limit before it was done.",
  failed: "The agent could not go on.",
  aborted: "Stopped.",
};

/** One sentence for each end. */
export const endWords = (status: TerminalStatus, stopReason: string | undefined): string =>
  status === "incomplete" && stopReason === "budget" ? "Stopped at its budget." : END_WORDS[status];
