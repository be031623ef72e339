/** The first steps of deleting an account, as SQL. Whoever asks for the deletion, the cron completes it. */

/** Ends every log-in of a person. `owner`: their address as SQL, a parameter or a literal. */
export const deleteLogins = (owner: string): string =>
  `DELETE FROM logins WHERE user_id IN (SELECT id FROM users WHERE email = ${owner})`;

/** Stores the request. When it is repeated, the first time is kept. Both arguments are SQL. */
export const insertDeletion = (owner: string, requestedAtMs: string): string =>
  `INSERT OR IGNORE INTO account_deletions (owner_email, requested_at_ms) VALUES (${owner}, ${requestedAtMs})`;
