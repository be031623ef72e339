/** Branded ids of the wire: plain strings at run time, not interchangeable at compile time. */
import * as z from "zod";

/** Id of one run: a lower-case UUID made by the turn start (spec §4.1.7). */
export const RunId = z.uuid().brand<"RunId">();
export type RunId = z.infer<typeof RunId>;

/** Id of one harness session: a lower-case UUID, one per owner, thread and harness. */
export const HarnessSessionId = z.uuid().brand<"HarnessSessionId">();
export type HarnessSessionId = z.infer<typeof HarnessSessionId>;

/** Id of one stock: UUIDv7, so ids sort by creation. */
export const StockId = z.uuid().brand<"StockId">();
export type StockId = z.infer<typeof StockId>;

/** Id of one permission request: UUID, unique across runs. A standing rule keeps the id of the request that made it. */
export const RequestId = z.uuid().brand<"RequestId">();
export type RequestId = z.infer<typeof RequestId>;

/** A thread's id as its client chose it: 1 to 200 UTF-16 units, not trimmed, may hold `/`. Scoped by owner. */
export const ThreadId = z.string().min(1).max(200).brand<"ThreadId">();
export type ThreadId = z.infer<typeof ThreadId>;

/**
 * The e-mail address everything a person owns is filed under: trimmed and lower-cased. ASCII alone, looked at before that:
 * lower-casing makes a `k` of the Kelvin sign, and trimming drops a no-break space, so two addresses would be one owner.
 */
export const OwnerEmail = z
  .string()
  .regex(/^[ -~]*$/)
  .trim()
  .toLowerCase()
  .min(3)
  .max(254)
  .brand<"OwnerEmail">();
export type OwnerEmail = z.infer<typeof OwnerEmail>;
