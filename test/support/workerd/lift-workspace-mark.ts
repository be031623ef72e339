/** Ends the time in which the workspace of a deleted account refuses calls. */
import { env, runDurableObjectAlarm } from "cloudflare:test";
import { SETTLE_MS } from "../../../src/account/delete-account.ts";
import type { OwnerEmail } from "../../../src/contract/ids.ts";
import { workspaceObjectOf } from "../../../src/workspace/durable/durable-workspace.ts";
import { shiftedClock } from "./shifted-clock.ts";

/** A test that deletes the developer's account owes this to the others: there is one developer, and one workspace of theirs. */
export const liftWorkspaceMark = async (owner: OwnerEmail): Promise<void> => {
  const clock = shiftedClock();
  clock.forward(SETTLE_MS);
  await runDurableObjectAlarm(await workspaceObjectOf(env.WORKSPACES, owner));
  clock.toNow();
};
