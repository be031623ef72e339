/** Ends the time in which the workspace of a deleted account refuses calls. */
import { env, runDurableObjectAlarm } from "cloudflare:test";
import type { OwnerEmail } from "../../../src/contract/ids.ts";
import { workspaceObjectOf } from "../../../src/workspace/durable/durable-workspace.ts";

/** A test that deletes the developer's account owes this to the others: there is one developer, and one workspace of theirs. */
export const liftWorkspaceMark = async (owner: OwnerEmail): Promise<void> => {
  const workspace = await workspaceObjectOf(env.WORKSPACES, owner);
  await workspace.purge(Date.now());
  await runDurableObjectAlarm(workspace);
};
