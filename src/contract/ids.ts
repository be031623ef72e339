/** Branded ids of the wire: plain strings at run time, not interchangeable at compile time. */
import * as z from "zod";
import { hex } from "./digest.ts";

/** Id of one run: a lower-case UUID made by the turn start (api.md §2). */
export const RunId = z.uuid().brand<"RunId">();

export type RunId = z.infer<typeof RunId>;

/** `anthropic`: our own loop over the Messages API. `agent-sdk`: the vendor's agent on the person's own machine. */
export const HarnessName = z.enum(["anthropic", "agent-sdk"]);
export type HarnessName = z.infer<typeof HarnessName>;

/** Id of one harness session: a lower-case UUID, one per owner, thread and harness. */
export const HarnessSessionId = z.uuid().brand<"HarnessSessionId">();

export type HarnessSessionId = z.infer<typeof HarnessSessionId>;

/** Id of one stock: UUIDv7, so ids sort by creation. */
export const StockId = z.uuid().brand<"StockId">();

export type StockId = z.infer<typeof StockId>;

/** Id of one permission request: UUID, unique across runs. A standing rule has the id of the request that created it. */
export const RequestId = z.uuid().brand<"RequestId">();

export type RequestId = z.infer<typeof RequestId>;

/** A thread's id, chosen by its client: 1 to 200 UTF-16 units, not trimmed, may contain `/`. Scoped by owner. */
export const ThreadId = z.string().min(1).max(200).brand<"ThreadId">();

export type ThreadId = z.infer<typeof ThreadId>;

/**
 * The e-mail address under which everything a person owns is stored: trimmed and lower-cased. Only ASCII is accepted, and that is checked
 * first: lower-casing turns the Kelvin sign into `k`, and trimming drops a no-break space, so two addresses would become one owner.
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

/** Highest count within one millisecond. The id after it borrows from the following millisecond. */
const MAX_COUNT = 0xfff;

/**
 * Makes a source of lower-case UUIDv7 ids that sort in the order they were created, even within one millisecond (RFC 9562 §5.7,
 * counter of RFC 9562 §6.2, method 1). One source per request: a Worker's clock does not advance between I/O, so all ids of a request share
 * a millisecond.
 */
export const createIdSource = (nowMs: () => number): (() => string) => {
  let lastMs = 0;
  let count = 0;
  return () => {
    const now = nowMs();
    if (now > lastMs) [lastMs, count] = [now, 0];
    else if (count === MAX_COUNT) [lastMs, count] = [lastMs + 1, 0];
    else count += 1;
    return formatId(lastMs, count, crypto.getRandomValues(new Uint8Array(8)));
  };
};

/** 48 bits of time, version 7, 12 bits of count, variant 10, 62 random bits. */
const formatId = (ms: number, count: number, random: Uint8Array): string => {
  const time = ms.toString(16).padStart(12, "0");
  const tail = [...random].map((byte, place) => (place === 0 ? (byte & 0x3f) | 0x80 : byte));
  const digits = hex(Uint8Array.from(tail));
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, "0")}-${digits.slice(0, 4)}-${digits.slice(4)}`;
};

const REMEDY = "use 1 to 255 characters";

/** Stored for 24 h per owner. The agent's tools do not offer it: a call of the agent has its own key. */
export const IdempotencyKey = z.string(REMEDY).min(1, REMEDY).max(255, REMEDY);

/**
 * Who is calling, passed as an argument. `orgId` is recorded with runs and sessions and
 * never widens what a query returns. `loginId` is the log-in that made the call, which can be revoked. It is absent for the caller of a
 * machine where sign-in is off.
 */
export type Caller = { readonly ownerEmail: OwnerEmail; readonly orgId: string | null; readonly loginId?: string };
