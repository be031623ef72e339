/**
 * A separate code for a log-in before it allows its first command: a thief of a log-in's cookie does not have the
 * person's mail. It signs nobody in, and is valid for this one log-in.
 */
import type { Db } from "../db/db.ts";
import { hashOf } from "./auth-secret.ts";

/** How long a code is valid, in ms, and how many wrong tries make it invalid: the same as for a sign-in code. */
const CODE_MS = 5 * 60_000;
const MAX_TRIES = 5;

/** How soon another code can be sent, in ms. A person who asks again before that gets none: it would invalidate the first. */
const RESEND_MS = 60_000;

const DIGITS = 6;

/** Whether a recently sent code can still be entered. */
export const isCodeUnderWay = async ({ $client: d1 }: Db, loginId: string, nowMs: number): Promise<boolean> => {
  const sql = "SELECT 1 FROM login_confirmations WHERE login_id = ? AND sent_at_ms > ? AND tries < ?";
  return (
    (await d1
      .prepare(sql)
      .bind(loginId, nowMs - RESEND_MS, MAX_TRIES)
      .first()) !== null
  );
};

/** A code that was stored, and the row that it replaced. */
type FreshCode = { readonly code: string; readonly former: Confirmation | null };

type Confirmation = { readonly code_hash: string; readonly tries: number; readonly sent_at_ms: number };

/**
 * Creates a code and stores its hash; an earlier one becomes invalid. Undefined when a recent one can still be entered: two requests may
 * come at once.
 */
export const makeFreshCode = async (
  { $client: d1 }: Db,
  secret: string,
  loginId: string,
  nowMs: number,
): Promise<FreshCode | undefined> => {
  const code = randomCode();
  const hash = await codeHash(secret, loginId, code);
  const [former, stored] = await d1.batch<Confirmation>([
    d1.prepare("SELECT code_hash, tries, sent_at_ms FROM login_confirmations WHERE login_id = ?").bind(loginId),
    d1
      .prepare(
        `INSERT INTO login_confirmations (login_id, code_hash, tries, sent_at_ms) VALUES (?1, ?2, 0, ?3)
         ON CONFLICT (login_id) DO UPDATE SET code_hash = ?2, tries = 0, sent_at_ms = ?3
         WHERE sent_at_ms <= ?4 OR tries >= ?5`,
      )
      .bind(loginId, hash, nowMs, nowMs - RESEND_MS, MAX_TRIES),
  ]);
  return stored?.meta.changes === 0 ? undefined : { code, former: former?.results[0] ?? null };
};

/** Forgets the code made at `nowMs`, since nobody got it. The one before counts again, and whoever asks is sent another one at once. */
export const forgetFreshCode = async (
  { $client: d1 }: Db,
  loginId: string,
  nowMs: number,
  { former }: FreshCode,
): Promise<void> => {
  const sql =
    "UPDATE login_confirmations SET code_hash = ?3, tries = ?4, sent_at_ms = ?5 WHERE login_id = ?1 AND sent_at_ms = ?2";
  const { code_hash, tries, sent_at_ms } = former ?? { code_hash: "", tries: 0, sent_at_ms: 0 };
  await d1.prepare(sql).bind(loginId, nowMs, code_hash, tries, sent_at_ms).run();
};

/** Tries a code, which counts as one try. Returns whether the log-in is now confirmed. */
export const enterFreshCode = async (
  { $client: d1 }: Db,
  secret: string,
  loginId: string,
  { code, nowMs }: { readonly code: string; readonly nowMs: number },
): Promise<boolean> => {
  const row = await d1
    .prepare(
      `UPDATE login_confirmations SET tries = tries + 1,
         confirmed_at_ms = CASE WHEN code_hash = ?2 THEN ?3 ELSE confirmed_at_ms END
       WHERE login_id = ?1 AND tries < ?4 AND sent_at_ms > ?5
       RETURNING code_hash = ?2 AS is_right`,
    )
    .bind(loginId, await codeHash(secret, loginId, code), nowMs, MAX_TRIES, nowMs - CODE_MS)
    .first<{ is_right: number }>();
  return row?.is_right === 1;
};

const codeHash = (secret: string, loginId: string, code: string): Promise<string> =>
  hashOf(secret, `fresh-code ${loginId} ${code}`);

/** All codes are equally likely; a plain remainder would favour the low ones. */
const randomCode = (): string => {
  const most = 10 ** DIGITS;
  const limit = Math.floor(2 ** 32 / most) * most;
  for (;;) {
    const [number = limit] = crypto.getRandomValues(new Uint32Array(1));
    if (number < limit) return String(number % most).padStart(DIGITS, "0");
  }
};
