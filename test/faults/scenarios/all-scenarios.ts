/** Every scenario that a kill can meet. */
import { commands, edits, reads, stoppedCommand } from "./files.ts";
import { branched, steered, undone } from "./lead.ts";
import { deletion, queue, stopped } from "./order.ts";
import type { Scenario } from "./scenario.ts";
import { additions, patience, rejection, standingRule, updates } from "./stocks.ts";
import { burst, speech, stumbling, thought } from "./talk.ts";

/** In no order. */
export const ALL_SCENARIOS: readonly Scenario[] = [
  ...[speech, burst, thought, stumbling],
  ...[additions, standingRule, updates, rejection, patience],
  ...[reads, edits, commands, stoppedCommand],
  ...[stopped, queue, deletion],
  ...[steered, undone, branched],
];

/** Those in which a person leads the agent or takes back what it did. */
export const LEAD_SCENARIOS: readonly Scenario[] = [steered, undone, branched];
