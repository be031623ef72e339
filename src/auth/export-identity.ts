/** What sign-in stores about a person, for an export: nothing with which one could sign in. */
import type { OwnerEmail } from "../contract/ids.ts";
import type { Db } from "../db/db.ts";

type Row = Readonly<Record<string, string | number | null>>;

/** The person, null when sign-in is off; their log-ins, organizations and invitations. */
export const exportIdentity = async ({ $client: d1 }: Db, owner: OwnerEmail) => {
  const user = "(SELECT id FROM users WHERE email = ?1)";
  const [users, logins, organizations, invitations] = await d1.batch<Row>(
    [
      "SELECT id, name, email, created_at_ms FROM users WHERE email = ?1",
      `SELECT id, created_at_ms, updated_at_ms, expires_at_ms, ip_address, user_agent FROM logins WHERE user_id = ${user}`,
      `SELECT organizations.id, name, slug, role, members.created_at_ms FROM members
         JOIN organizations ON organizations.id = organization_id WHERE user_id = ${user}`,
      `SELECT id, organization_id, email, role, status, created_at_ms FROM invitations
         WHERE email = ?1 OR inviter_id = ${user}`,
    ].map((sql) => d1.prepare(sql).bind(owner)),
  );
  return {
    account: users?.results[0] ?? null,
    logins: logins?.results ?? [],
    organizations: organizations?.results ?? [],
    invitations: invitations?.results ?? [],
  };
};
