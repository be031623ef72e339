/** What the object of a key answers to. `QuotesObject` says what each call does. */
import type { AccountDeletion } from "../../db/deletion/open-deletion.ts";
import type { ListedMatch, RefusalReason } from "../sources/quote-source.ts";

/** How a refresh went: the stocks' symbols, sorted. */
export type RefreshResult = {
  readonly accepted: readonly string[];
  /** Not asked yet, or held back. */
  readonly pending: readonly string[];
  readonly refused: readonly {
    readonly symbol: string;
    readonly reason: RefusalReason;
    readonly retryAtMs: number | null;
  }[];
};

/** What is left of the key, and what went wrong last. */
export type KeyStatus = { readonly creditsLeft: number | null; readonly lastError: RefusalReason | null };

/** Calls name the owner: the object of a deployment's key serves several. */
export interface QuotesRpc extends Rpc.DurableObjectBranded {
  wake(owner: string): Promise<void>;
  watchTargets(owner: string): Promise<void>;
  refresh(owner: string, stockIds: readonly string[] | null, requestId: string): Promise<RefreshResult | "too_soon">;
  search(owner: string, q: string): Promise<{ matches: ListedMatch[] } | { refused: RefusalReason }>;
  history(owner: string, instrumentId: string): Promise<void>;
  status(owner: string): Promise<KeyStatus>;
  forgive(): Promise<void>;
  forget(deletion: AccountDeletion): Promise<void>;
  purge(deletion: AccountDeletion, untilMs: number): Promise<void>;
}
