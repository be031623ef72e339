/** Log-ins that act in an organization their person has left: whoever is out of it acts in it no more, in no browser. */
import type { Db } from "../db/db.ts";

/** Ids of an organization's people. */
export const listMembers = async ({ $client: d1 }: Db, organizationId: string): Promise<string[]> => {
  const { results } = await d1
    .prepare("SELECT user_id FROM members WHERE organization_id = ?")
    .bind(organizationId)
    .all<{ user_id: string }>();
  return results.map(({ user_id }) => user_id);
};

/** Lets the log-ins of those who were members act for themselves again, where they are members no more. */
export const leaveOrganization = async (
  { $client: d1 }: Db,
  organizationId: string,
  wereMembers: readonly string[],
): Promise<void> => {
  await d1
    .prepare(
      `UPDATE logins SET active_organization_id = NULL
       WHERE user_id IN (SELECT value FROM json_each(?2)) AND active_organization_id = ?1
         AND user_id NOT IN (SELECT user_id FROM members WHERE organization_id = ?1)`,
    )
    .bind(organizationId, JSON.stringify(wereMembers))
    .run();
};
