/**
 * Ends what a dev command leaves running when it is killed: wrangler with its runtime, the agent's commands, and turns of a harness host.
 */
import { rmSync } from "node:fs";
import { endLeftTurns, turnRecordsIn } from "../../harness-host/turn-processes.ts";
import { endOthersOfGroup } from "../../process/process-group.ts";
import { endLeftCommands } from "../../workspace-server/commands/end-left-commands.ts";
import { recordsIn } from "../../workspace-server/workspace-server.ts";
import { removeDevRecord } from "./leftovers.ts";
import { envFileIn } from "./secret-files.ts";

/** How long wrangler may take to end, in ms. The port must be free within 5 s of the kill, even on a busy machine. */
const TERM_GRACE_MS = 2_500;

/**
 * Ends the other processes of this one's group, and the commands and turns of the dev command on `persistTo`, if there is one. The record
 * that the next start looks for is removed last: until then that start waits for the group.
 */
export const endOrphans = async (groupId: number, persistTo: string): Promise<void> => {
  const isDev = persistTo !== "";
  const left = isDev ? [endLeftCommands(recordsIn(persistTo)), endLeftTurns(turnRecordsIn(persistTo))] : [];
  // The next start does whatever fails here.
  await Promise.allSettled([endOthersOfGroup(groupId, TERM_GRACE_MS), ...left]);
  if (!isDev) return;
  rmSync(envFileIn(persistTo), { force: true });
  removeDevRecord(persistTo);
};
