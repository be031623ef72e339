/** What the deletion of an account begins with, as SQL: whoever asks for it, the cron completes it. */

/** Ends every log-in of a person. `owner`: their address as SQL, a parameter or a literal. */
export const deleteLogins = (owner: string): string =>
  `DELETE FROM logins WHERE user_id IN (SELECT id FROM users WHERE email = ${owner})`;

/** Stores the request. When repeated, the first time is kept. Both as SQL. */
export const insertDeletion = (owner: string, requestedAtMs: string): string =>
  `INSERT OR IGNORE INTO account_deletions (owner_email, requested_at_ms) VALUES (${owner}, ${requestedAtMs})`;
