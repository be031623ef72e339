/** Whether log-ins are still valid. Their table belongs to sign-in (`auth/auth-tables`). */
import type { Db } from "./db.ts";

/** Which of these log-ins are neither revoked nor expired. */
export const findLiveLogins = async (
  { $client: d1 }: Db,
  loginIds: readonly string[],
  nowMs: number,
): Promise<ReadonlySet<string>> => {
  const { results } = await d1
    .prepare("SELECT id FROM logins WHERE id IN (SELECT value FROM json_each(?1)) AND expires_at_ms > ?2")
    .bind(JSON.stringify(loginIds), nowMs)
    .all<{ id: string }>();
  return new Set(results.map(({ id }) => id));
};

/** Whether each of these log-ins has entered the code that its first command needs. One that has ended counts as not having done so. */
export const areLoginsConfirmed = async ({ $client: d1 }: Db, loginIds: readonly string[]): Promise<boolean> => {
  const row = await d1
    .prepare(
      `SELECT 1 FROM json_each(?1) WHERE NOT EXISTS
         (SELECT 1 FROM login_confirmations WHERE login_id = value AND confirmed_at_ms IS NOT NULL) LIMIT 1`,
    )
    .bind(JSON.stringify(loginIds))
    .first();
  return row === null;
};
