/** What the object of a person's search answers, and how it is found. */
import { sha256Hex } from "../contract/digest.ts";
import type { OwnerEmail, RunId, ThreadId } from "../contract/ids.ts";
import type { AccountDeletion } from "../db/deletion/open-deletion.ts";

/** What was said in a turn that is over. `createdAtMs` is when its run was started. */
export type SaidInTurn = {
  readonly threadId: ThreadId;
  readonly runId: RunId;
  readonly createdAtMs: number;
  readonly prompt: string;
  /** The final answer; empty when there was none. */
  readonly answer: string;
};

/** Turns that a branch shares with the thread it was branched from. */
export type BranchedTurns = { readonly from: ThreadId; readonly to: ThreadId; readonly runIds: readonly string[] };

/** A thread in which something was found, and the text around it, in one line. */
export type Found = { readonly threadId: string; readonly text: string };

/** `SearchObject` says what each call does. */
export interface SearchRpc extends Rpc.DurableObjectBranded {
  put(turn: SaidInTurn): void;
  branch(turns: BranchedTurns): boolean;
  find(query: string): Promise<Found[]>;
  removeThread(threadId: ThreadId, untilMs: number, keptRunIds?: readonly string[]): boolean;
  purge(deletion: AccountDeletion, untilMs: number): Promise<void>;
}

/** The search of one person. The object's name does not say whose it is. */
export const searchOf = async <Stub>(
  objects: { getByName(name: string): Stub },
  owner: OwnerEmail,
): Promise<{ readonly stub: Stub }> => ({ stub: objects.getByName(await sha256Hex(owner)) });
