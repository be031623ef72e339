/** What a session gives to a run, and takes back when the run is over. */
import type { RequestId } from "../contract/ids.ts";
import type { KeptTurn, TurnRows } from "../harness/stored-conversation.ts";
import type { NewCompaction } from "../harness/turn.ts";
import type { BlockPage, ConversationHead, StoredCompaction } from "./conversation-store.ts";
import type { Copied, CopiedPiece } from "./file-copy.ts";
import type { ForkPart } from "./fork-copy.ts";
import type { DroppedCall, Report } from "./report.ts";
import type { Rewind } from "./rewind-store.ts";
import type { StandingRule } from "./rule-store.ts";
import type { QueuePlace } from "./run-queue.ts";

/** A page of a conversation; the first page has `head`. */
export type LoadedPage = BlockPage & { readonly head?: ConversationHead };

/** A page that includes what is no longer sent, and the lines that are sent in place of turns. */
export type ExportedPage = BlockPage & Pick<ConversationHead, "omitted">;

/** A finished turn, as its run hands it over. A run of an earlier release passes no facts. */
export type FinishedTurn = KeptTurn & {
  /** Ids of the reports that the run has made. */
  readonly told: readonly number[];
};

/** What the object of a harness session answers to whoever calls it. `SessionObject` says what each call does. */
export interface SessionRpc extends Rpc.DurableObjectBranded {
  enqueue(runId: string, leftDir?: string): Promise<QueuePlace | undefined>;
  hold(runId: string, grant: number, replaced: readonly string[]): Promise<boolean>;
  replacedRuns(holder: string, grant: number): Promise<string[] | undefined>;
  takeCopy(piece: CopiedPiece): boolean;
  load(runId: string, grant: number, beforeId: number | null): Promise<LoadedPage | undefined>;
  saveCompaction(runId: string, grant: number, key: string, compaction: NewCompaction): Promise<Report | undefined>;
  noteDropped(holder: string, grant: number, call: DroppedCall): Promise<boolean>;
  startEpoch(
    runId: string,
    grant: number,
    key: string,
    turns: readonly TurnRows[],
    reason: string,
  ): Promise<Report | undefined>;
  finish(
    runId: string,
    grant: number | undefined,
    ended: FinishedTurn | undefined,
    speakers?: readonly string[],
  ): Promise<boolean>;
  reserve(id: string): Promise<QueuePlace | "busy" | undefined>;
  release(id: string): Promise<void>;
  rewind(holder: string, grant: number, rewind: Rewind): Promise<boolean>;
  copied(offset: number): Copied;
  addCopy(runId: string, grant: number, piece: CopiedPiece): boolean;
  forkPart(runIds: readonly string[], afterId: number): ForkPart | undefined;
  takeForkPart(part: ForkPart): number | undefined;
  exportPage(beforeId: number | null): ExportedPage;
  allFacts(): string[];
  exportCompactions(): StoredCompaction[];
  listRules(): Promise<StandingRule[]>;
  addRule(rule: StandingRule): void;
  removeRule(ruleId: RequestId): void;
  purge(): Promise<void>;
}

const PREFIX = "reserved:";

/**
 * The id of a place in a thread's queue for something other than a run. The id itself says until when the place is held,
 * because its holder may die.
 */
export const reservationId = (untilMs: number, nonce: string): string => `${PREFIX}${untilMs}:${nonce}`;

/** Until when a place is held, in epoch ms; undefined for a run's place. */
export const reservationUntilMs = (id: string): number | undefined =>
  id.startsWith(PREFIX) ? Number(id.slice(PREFIX.length).split(":")[0]) : undefined;
