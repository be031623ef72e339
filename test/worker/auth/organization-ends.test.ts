/** What is cut off, or happens at the same moment, leaves no organization, invitation or browser behind that nobody can put right. */
import { env as plain } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { continueDeletion, SETTLE_MS } from "../../../src/account/delete-account.ts";
import { runMinute } from "../../../src/account/run-cron.ts";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { outbox } from "../../support/workerd/outbox.ts";
import { type Browser, signIn } from "../../support/workerd/sign-in.ts";

nothingDue();

const env = { ...plain, MAIL: outbox };

const AUTH = "/_framework/auth/organization";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const WithId = z.object({ id: z.string() });

const invite = async ({ ask }: Browser, organizationId: string, email: string, role = "member") =>
  WithId.parse((await ask("POST", `${AUTH}/invite-member`, { email, organizationId, role })).body).id;

const accept = ({ ask }: Browser, invitationId: string) => ask("POST", `${AUTH}/accept-invitation`, { invitationId });

const invitationsOf = async ({ ask }: Browser) => (await ask("GET", `${AUTH}/list-user-invitations`)).body;

/** The same invitation once more, as when two people send it at the same moment. */
const twinOf = async (invitationId: string) => {
  const id = crypto.randomUUID();
  const sql = `INSERT INTO invitations (id, organization_id, email, role, status, expires_at_ms, created_at_ms, inviter_id)
    SELECT ?1, organization_id, email, role, 'pending', expires_at_ms, created_at_ms, inviter_id FROM invitations WHERE id = ?2`;
  await env.DB.prepare(sql).bind(id, invitationId).run();
  return id;
};

/** An organization that was made up to where a crash left it: without a member. */
const withoutMembers = async (createdAtMs: number) => {
  const id = crypto.randomUUID();
  const sql = "INSERT INTO organizations (id, name, slug, created_at_ms) VALUES (?1, 'Left', ?1, ?2)";
  await env.DB.prepare(sql).bind(id, createdAtMs).run();
  return id;
};

const rowsOf = async (organizationId: string) =>
  await env.DB.prepare(
    `SELECT (SELECT count(*) FROM organizations WHERE id = ?1) AS organizations,
       (SELECT count(*) FROM invitations WHERE organization_id = ?1) AS invitations`,
  )
    .bind(organizationId)
    .first();

/** The cron's next minute in which it tidies: the first of an hour. */
const tidy = async () => await runMinute(env, Math.ceil(Date.now() / HOUR_MS) * HOUR_MS);

describe("an open invitation", () => {
  it("is over once another of the same moment is accepted", async () => {
    const [ann, bob] = [await signIn(), await signIn()];
    const id = await ann.openOrganization();
    const first = await invite(ann, id, bob.email);
    const second = await twinOf(first);
    expect(await accept(bob, first)).toMatchObject({ status: 200 });
    expect(await invitationsOf(bob)).toEqual([]);
    expect(await accept(bob, second)).toMatchObject({ status: 400 });
  });

  it("is accepted by somebody who is a member already, and now acts there", async () => {
    const [ann, bob] = [await signIn(), await signIn()];
    const id = await ann.openOrganization();
    const invitationId = await invite(ann, id, bob.email);
    await env.DB.prepare(
      `INSERT INTO members (id, organization_id, user_id, role, created_at_ms)
         SELECT ?1, ?2, id, 'member', 0 FROM users WHERE email = ?3`,
    )
      .bind(crypto.randomUUID(), id, bob.email)
      .run();
    const accepted = { invitation: { id: invitationId, organizationId: id, status: "accepted" } };
    expect(await accept(bob, invitationId)).toMatchObject({ status: 200, body: accepted });
    expect(await bob.session()).toMatchObject({ body: { orgId: id } });
    expect(await invitationsOf(bob)).toEqual([]);
  });

  it("lets nobody in again who was removed", async () => {
    const [ann, bob] = [await signIn(), await signIn()];
    const id = await ann.openOrganization();
    const first = await invite(ann, id, bob.email);
    await accept(bob, first);
    const second = await twinOf(first);
    await ann.ask("POST", `${AUTH}/remove-member`, { memberIdOrEmail: bob.email, organizationId: id });
    expect(await accept(bob, second)).toMatchObject({ status: 400 });
    expect(await bob.ask("GET", `${AUTH}/list`)).toEqual({ status: 200, body: [] });
  });
});

it("a browser acts for an hour at most in an organization that its person is not in", async () => {
  const [ann, carl] = [await signIn(), await signIn()];
  const id = await ann.openOrganization();
  await env.DB.prepare(
    "UPDATE logins SET active_organization_id = ?1 WHERE user_id = (SELECT id FROM users WHERE email = ?2)",
  )
    .bind(id, carl.email)
    .run();
  await tidy();
  carl.dropCookieCache();
  ann.dropCookieCache();
  expect(await carl.session()).toMatchObject({ body: { orgId: null } });
  expect(await ann.session()).toMatchObject({ body: { orgId: id } });
});

describe("an organization", () => {
  it("goes with its last member, though its owner went before, and its invitations with it", async () => {
    const [ann, bob, eve] = [await signIn(), await signIn(), await signIn()];
    const id = await ann.openOrganization();
    await accept(bob, await invite(ann, id, bob.email, "admin"));
    await invite(bob, id, eve.email);
    const deletion = { ownerEmail: OwnerEmail.parse(ann.email), requestedAtMs: Date.now() - SETTLE_MS };
    await requestDeletion(openDb(env.DB), deletion.ownerEmail, deletion.requestedAtMs);
    expect(await continueDeletion(env, deletion, Date.now())).toBe(true);
    expect(await rowsOf(id)).toEqual({ organizations: 1, invitations: 1 });
    expect(await bob.ask("POST", `${AUTH}/leave`, { organizationId: id })).toMatchObject({ status: 200 });
    expect(await rowsOf(id)).toEqual({ organizations: 0, invitations: 0 });
  });

  it("that was never given a member is deleted a day later", async () => {
    const [old, young] = [await withoutMembers(Date.now() - DAY_MS), await withoutMembers(Date.now())];
    await tidy();
    expect(await rowsOf(old)).toMatchObject({ organizations: 0 });
    expect(await rowsOf(young)).toMatchObject({ organizations: 1 });
  });
});
