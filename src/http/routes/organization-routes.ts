/**
 * Organizations: routes of better-auth behind our checks. Every change renews the log-in's signed cookie, because what a person
 * does next is recorded with the organization named in it.
 */

import type { Context, Hono } from "hono";
import type { z } from "zod";
import { isAllowedEmail } from "../../auth/allowed-emails.ts";
import type { Auth } from "../../auth/auth-for.ts";
import { invitationsBy, invitationsTo, mailsOfAll } from "../../auth/count-attempts.ts";
import { withoutCookieCache } from "../../auth/find-login.ts";
import {
  Acceptance,
  acceptAsMember,
  isAtOrganizationLimit,
  isFull,
  Leaving,
  leaveOrganization,
  listMembers,
  MAX_ORGANIZATIONS,
  MAX_PEOPLE,
  mayInvite,
  NewInvitation,
  NewOrganization,
  OrganizationChange,
} from "../../auth/organizations.ts";
import { sendInvitation } from "../../auth/send-mail.ts";
import { AppError, signInFirst } from "../../contract/app-error.ts";
import { isLoopbackUrl } from "../../contract/local/loopback.ts";
import { log } from "../../contract/log.ts";
import { openDb } from "../../db/db.ts";
import type { AppEnv } from "../app-env.ts";
import { authOf, countOrRefuse, forward, mountAuth, withBody } from "../auth-forward.ts";
import { readJson } from "../body.ts";
import { assertSameSite } from "../cross-site.ts";

const READS = [
  ...["list", "get-full-organization", "list-members", "get-active-member", "get-invitation"],
  ...["list-invitations", "list-user-invitations"],
];

const NAME = "name: use 1 to 80 characters on one line; slug: small letters, digits and dashes.";
const INVITATION = "email: use an address such as ann@example.com; organizationId: say which organization.";
const NOT_ALLOWED = "email: this address may not sign in here. Ask whoever runs this Tally to add it.";
const FULL = `An organization has at most ${MAX_PEOPLE} people, open invitations included. Remove or withdraw some first.`;
const AT_ORGANIZATION_LIMIT = `You are in ${MAX_ORGANIZATIONS} organizations, the limit. Leave or delete one first.`;
const LEAVING = "organizationId: say which organization.";

/** Routes that change something, with the body that is passed on. */
const WRITES: Readonly<Record<string, (body: unknown) => unknown>> = {
  create: (body) => parse(NewOrganization, body, NAME),
  update: (body) => parse(OrganizationChange, body, NAME),
  "set-active": (body) => body,
  "cancel-invitation": (body) => body,
  "reject-invitation": (body) => body,
  "update-member-role": (body) => body,
};

/** Mounts the organization routes. */
export const mountOrganizationRoutes = (app: Hono<AppEnv>): void => {
  for (const name of READS) {
    mountAuth(app, "GET", `organization/${name}`, async (c) => {
      // better-auth takes a log-in out of its active organization when it asks for one that its person is not in.
      assertSameSite(c.req.raw);
      const auth = await authOf(c);
      await emailOf(c, auth);
      return await forward(c, auth, c.req.raw);
    });
  }
  for (const [name, checked] of Object.entries(WRITES)) {
    mountAuth(app, "POST", `organization/${name}`, async (c) => {
      const { auth, body } = await callOf(c);
      return await renewed(c, auth, await forward(c, auth, withBody(c, checked(body))));
    });
  }
  for (const name of ["leave", "remove-member", "delete"]) mountAuth(app, "POST", `organization/${name}`, leave);
  mountAuth(app, "POST", "organization/invite-member", invite);
  mountAuth(app, "POST", "organization/accept-invitation", accept);
};

/** Also used when somebody else is removed: their browsers must not stay in that organization. */
const leave = async (c: Context<AppEnv>): Promise<Response> => {
  const { auth, body } = await callOf(c);
  const { organizationId, ...rest } = parse(Leaving, body, LEAVING);
  const db = openDb(c.env.DB);
  const wereMembers = await listMembers(db, organizationId);
  const answer = await forward(c, auth, withBody(c, { organizationId, ...rest }));
  await leaveOrganization(db, organizationId, wereMembers);
  return await renewed(c, auth, answer);
};

/** Creates or replaces an invitation and mails it. Rate limits keep it from being used to flood somebody's mailbox. */
const invite = async (c: Context<AppEnv>): Promise<Response> => {
  const { auth, email: inviter, body } = await callOf(c);
  const invitation = parse(NewInvitation, body, INVITATION);
  // Members may learn this, since they are on the list themselves: a mail to somebody who cannot sign in would be useless.
  if (!isAllowedEmail(c.env, invitation.email)) throw new AppError(400, NOT_ALLOWED);
  await countOrRefuse(c, invitationsBy(inviter));
  // An invitation that is refused below uses up nothing of other people's.
  const db = openDb(c.env.DB);
  if (await mayInvite(db, inviter, invitation)) {
    if (await isFull(db, invitation, Date.now())) throw new AppError(409, FULL);
    await countOrRefuse(c, [...invitationsTo(invitation.email), ...mailsOfAll(c.env)]);
  }
  const answer = await forward(c, auth, withBody(c, invitation));
  const note = { to: invitation.email, inviter, origin: new URL(c.req.url).origin };
  await sendInvitation(c.env, note, isLoopbackUrl(c.req.url)).catch((error: unknown) => {
    const { requestId } = c.var;
    log.error("No mail was sent.", { requestId, error });
    throw new AppError(503, "The invitation was saved, but its mail could not be sent. Invite them again later.");
  });
  return answer;
};

/** Accepts an invitation, even for a member. Afterwards no other invitation into the organization is open to them. */
const accept = async (c: Context<AppEnv>): Promise<Response> => {
  const { auth, email, body } = await callOf(c);
  const { invitationId } = Acceptance.parse(body);
  const db = openDb(c.env.DB);
  const invitation = await acceptAsMember(db, email, invitationId);
  if (invitation !== undefined) {
    const { organizationId } = invitation;
    const headers = withoutCookieCache(c.req.raw.headers);
    await auth.api.setActiveOrganization({ body: { organizationId }, headers });
    return await renewed(c, auth, c.json({ invitation }));
  }
  if (await isAtOrganizationLimit(db, email)) throw new AppError(409, AT_ORGANIZATION_LIMIT);
  const answer = await forward(c, auth, withBody(c, body));
  await acceptAsMember(db, email, invitationId);
  return await renewed(c, auth, answer);
};

/** @throws {AppError} 401 when nobody is signed in, which better-auth does not check everywhere, or not on the allow list. */
const callOf = async (c: Context<AppEnv>) => {
  const auth = await authOf(c);
  return { auth, email: await emailOf(c, auth), body: await readJson(c.req.raw) };
};

const emailOf = async (c: Context<AppEnv>, auth: Auth): Promise<string> => {
  const login = await auth.api.getSession({ headers: withoutCookieCache(c.req.raw.headers) });
  if (login === null || !isAllowedEmail(c.env, login.user.email)) throw signInFirst();
  return login.user.email;
};

const parse = <Schema extends z.ZodType>(schema: Schema, body: unknown, refusal: string): z.infer<Schema> => {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new AppError(400, refusal);
  return parsed.data;
};

/** The response, with a renewed cookie for the log-in. */
const renewed = async (c: Context<AppEnv>, auth: Auth, answer: Response): Promise<Response> => {
  const { headers } = await auth.api.getSession({
    headers: withoutCookieCache(c.req.raw.headers),
    returnHeaders: true,
  });
  const whole = new Response(answer.body, answer);
  whole.headers.delete("set-cookie");
  for (const cookie of headers.getSetCookie()) whole.headers.append("set-cookie", cookie);
  return whole;
};
