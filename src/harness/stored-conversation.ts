/**
 * A thread's conversation as its session stores it: rows that only the adapter that wrote them can read. The session appends
 * them, hides them, returns them and exports them, and never looks inside.
 */

/** A row before it is stored. An adapter chooses its rows; one of at most 1 MB each is always safe. */
type NewRow = {
  /** Position within the turn, from 0. Several rows may share one. */
  readonly message: number;
  /** A label for the adapter, such as who speaks. */
  readonly role: string;
  /** Any JSON, as text. */
  readonly body: string;
};

/** A stored row. */
export type StoredRow = NewRow & {
  readonly runId: string;
  /** The model of its turn. */
  readonly model: string;
};

/** The rows of one turn, in order. A turn may have none. */
export type TurnRows = { readonly runId: string; readonly model: string; readonly rows: readonly NewRow[] };

/** What the session keeps of a turn that has ended. */
export type KeptTurn = {
  readonly turn: TurnRows;
  /** Set for a turn that must not be resumed: what stands in for it. Its rows are stored all the same. */
  readonly omitted: string | undefined;
  /** What later turns depend on besides the rows, as JSON text; replaces what the last turn left. Undefined keeps that. */
  readonly facts: string | undefined;
};

/**
 * Length of stored rows, in UTF-16 units, after which no older turn is loaded: more than the largest window holds, even when
 * most of it is results that are no longer sent. The newest turn is loaded whole, however long it is.
 */
export const MAX_LOADED_LENGTH = 8_000_000;

/** What a session holds of the current epoch, as far as it was loaded. */
export type StoredConversation = {
  /** Oldest first. Rows that a compaction replaces are not among them. */
  readonly rows: readonly StoredRow[];
  /** There are older rows that were not loaded. The oldest turn may then be incomplete. */
  readonly isCut: boolean;
  /** The newest compaction's `block`. */
  readonly compaction: string | null;
  readonly facts: string | null;
  /** What stands in for turns that must not be resumed, by run. */
  readonly omitted: Readonly<Record<string, string>>;
  /** The person has gone back since `facts` were kept: these may be the facts of turns that are not among the rows. */
  readonly isRewound: boolean;
};

/** A thread without a turn. */
export const NOTHING_STORED: StoredConversation = {
  rows: [],
  isCut: false,
  compaction: null,
  facts: null,
  omitted: {},
  isRewound: false,
};
