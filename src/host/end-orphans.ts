/** What a dev command leaves running when it is killed: wrangler with its runtime, and the agent's commands. */
import { rmSync } from "node:fs";
import { removeDevRecord } from "./dev-record.ts";
import { envFileIn } from "./env-file.ts";
import { endOthersOfGroup } from "./process-group.ts";
import { endLeftCommands } from "./workspace/end-left-commands.ts";
import { recordsIn } from "./workspace/workspace-server.ts";

/** How long wrangler may take to end, in ms. The port is to be free within 5 s of the kill, also on a busy machine. */
const TERM_GRACE_MS = 2_500;

/**
 * Ends the others of this process's group, and the commands of the dev command on `persistTo`, where there is one. What the
 * next start would look for is removed last: until then that start waits for the group.
 */
export const endOrphans = async (groupId: number, persistTo: string): Promise<void> => {
  const commands = persistTo === "" ? undefined : endLeftCommands(recordsIn(persistTo));
  // What fails here is done by the next start.
  await Promise.allSettled([endOthersOfGroup(groupId, TERM_GRACE_MS), commands]);
  if (persistTo === "") return;
  rmSync(envFileIn(persistTo), { force: true });
  removeDevRecord(persistTo);
};
