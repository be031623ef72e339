/**
 * Organizations: bodies that are checked more strictly than by better-auth, how many people and organizations there may be, and what
 * follows when somebody joins or leaves.
 */
import * as z from "zod";
import { DAY_MS } from "../contract/day.ts";
import type { Db } from "../db/db.ts";
import { TypedEmail } from "./sign-in-request.ts";

/** An organization's name; one line. */
const Name = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u);

const Slug = z
  .string()
  .max(80)
  .regex(/^[a-z0-9][a-z0-9-]*$/);

/** `POST /organization/create`. */
export const NewOrganization = z.object({ name: Name, slug: Slug });

/** `POST /organization/update`. */
export const OrganizationChange = z.object({
  organizationId: z.uuid(),
  data: z.object({ name: Name.optional(), slug: Slug.optional() }),
});

/** `POST /organization/invite-member`. It replaces an open invitation to the same address, role included, and is mailed. */
export const NewInvitation = z.object({
  email: TypedEmail,
  role: z.enum(["member", "admin", "owner"]).default("member"),
  organizationId: z.uuid(),
});

/** `POST /organization/accept-invitation`. better-auth refuses a text that is not an id. */
export const Acceptance = z.object({ invitationId: z.string() }).catch({ invitationId: "" });

/** Whether the inviter may send this invitation, by better-auth's own rules, and the person is not a member already. */
export const mayInvite = async (
  { $client: d1 }: Db,
  inviter: string,
  { email, role, organizationId }: z.infer<typeof NewInvitation>,
): Promise<boolean> => {
  const { results } = await d1
    .prepare(
      "SELECT email, role FROM members JOIN users ON users.id = user_id WHERE organization_id = ? AND email IN (?, ?)",
    )
    .bind(organizationId, inviter, email)
    .all<{ email: string; role: string }>();
  // One or more roles, separated by commas.
  const own = results.find((member) => member.email === inviter)?.role ?? "";
  const isEntitled = own.includes("owner") || (own.includes("admin") && role !== "owner");
  return isEntitled && results.every((member) => member.email !== email);
};

/**
 * Most people of an organization, open invitations included. better-auth looks all members up in one statement, for which D1 binds
 * 100 values (https://developers.cloudflare.com/d1/platform/limits/). Some are left for invitations that are made at the same moment.
 */
export const MAX_PEOPLE = 95;

/** Whether an organization has no place for somebody who is not a member. If they have an open invitation, they have its place already. */
export const isFull = async (
  { $client: d1 }: Db,
  { organizationId, email }: z.infer<typeof NewInvitation>,
  nowMs: number,
): Promise<boolean> => {
  const people = await d1
    .prepare(
      `SELECT (SELECT count(*) FROM members WHERE organization_id = ?1) + (SELECT count(*) FROM invitations
         WHERE organization_id = ?1 AND status = 'pending' AND expires_at_ms > ?2 AND email <> ?3) AS people`,
    )
    .bind(organizationId, nowMs, email)
    .first<number>("people");
  return (people ?? 0) >= MAX_PEOPLE;
};

/** Most organizations that a person may be in; better-auth lists no more than a hundred. */
export const MAX_ORGANIZATIONS = 20;

/** Whether a person is in as many organizations as they may be. */
export const isAtOrganizationLimit = async ({ $client: d1 }: Db, email: string): Promise<boolean> => {
  const count = d1.prepare("SELECT count(*) AS n FROM members JOIN users ON users.id = user_id WHERE email = ?");
  return ((await count.bind(email).first<number>("n")) ?? 0) >= MAX_ORGANIZATIONS;
};

/** Bodies of the routes by which somebody stops being a member. */
export const Leaving = z.looseObject({ organizationId: z.uuid() });

/** Ids of an organization's members. */
export const listMembers = async ({ $client: d1 }: Db, organizationId: string): Promise<string[]> => {
  const { results } = await d1
    .prepare("SELECT user_id FROM members WHERE organization_id = ?")
    .bind(organizationId)
    .all<{ user_id: string }>();
  return results.map(({ user_id }) => user_id);
};

const LEAVERS = `(SELECT value FROM json_each(?2)
  WHERE value NOT IN (SELECT user_id FROM members WHERE organization_id = ?1))`;

const IS_EMPTY = "NOT EXISTS (SELECT 1 FROM members WHERE organization_id = organizations.id)";

/**
 * Resets the log-ins of former members, so that nobody acts in an organization they have left, in any browser, and withdraws invitations
 * that would let them in again. An organization is deleted with its last member: its owner's account may have been deleted before.
 */
export const leaveOrganization = async (
  { $client: d1 }: Db,
  organizationId: string,
  wereMembers: readonly string[],
): Promise<void> => {
  const ofLeavers = [
    `UPDATE logins SET active_organization_id = NULL WHERE user_id IN ${LEAVERS} AND active_organization_id = ?1`,
    `UPDATE invitations SET status = 'canceled' WHERE organization_id = ?1 AND status = 'pending'
       AND email IN (SELECT email FROM users WHERE id IN ${LEAVERS})`,
  ];
  await d1.batch([
    ...ofLeavers.map((sql) => d1.prepare(sql).bind(organizationId, JSON.stringify(wereMembers))),
    d1.prepare(`DELETE FROM organizations WHERE id = ? AND ${IS_EMPTY}`).bind(organizationId),
  ]);
};

/**
 * Marks all of a person's open invitations into the organization of this one as accepted, if the person is a member of it. better-auth
 * accepts none for a member, so one that was sent at the same moment as another, or whose acceptance it could not finish, would stay open
 * for good. Returns this invitation; undefined when it was not open, or the person is not a member.
 */
export const acceptAsMember = async ({ $client: d1 }: Db, email: string, invitationId: string) => {
  const { results } = await d1
    .prepare(
      `UPDATE invitations SET status = 'accepted' WHERE email = ?1 AND status = 'pending'
         AND organization_id = (SELECT organization_id FROM invitations WHERE id = ?2 AND email = ?1)
         AND EXISTS (SELECT 1 FROM members JOIN users ON users.id = user_id
           WHERE members.organization_id = invitations.organization_id AND users.email = ?1)
       RETURNING id, organization_id AS organizationId, email, role, status`,
    )
    .bind(email, invitationId)
    .all<{ id: string; organizationId: string }>();
  return results.find(({ id }) => id === invitationId);
};

/** How often the cron tidies, in minutes. It is rare because it reads every log-in and every organization. */
const TIDY_MINUTES = 60;

/**
 * Does what `leaveOrganization` did not do, because the instance died before it, or somebody was removed while they chose the organization:
 * takes log-ins out of organizations that their person is not in, and deletes organizations without members. These must be a day old, so
 * that none is still being made. Call it each minute.
 */
export const tidyOrganizations = async ({ $client: d1 }: Db, nowMs: number): Promise<void> => {
  if (Math.floor(nowMs / 60_000) % TIDY_MINUTES !== 0) return;
  await d1.batch([
    d1.prepare(
      `UPDATE logins SET active_organization_id = NULL WHERE active_organization_id IS NOT NULL AND NOT EXISTS
         (SELECT 1 FROM members WHERE organization_id = active_organization_id AND user_id = logins.user_id)`,
    ),
    d1.prepare(`DELETE FROM organizations WHERE created_at_ms <= ? AND ${IS_EMPTY}`).bind(nowMs - DAY_MS),
  ]);
};
