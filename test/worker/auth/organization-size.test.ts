/** How many people an organization has at most: better-auth looks them up in one statement, and D1 binds 100 values to one. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { z } from "zod";
import { MAX_PEOPLE } from "../../../src/auth/organizations.ts";
import { codesSentTo } from "../../support/workerd/outbox.ts";
import { type Browser, signIn } from "../../support/workerd/sign-in.ts";

const AUTH = "/_framework/auth/organization";
const FULL = {
  status: 409,
  body: { error: "An organization has at most 95 people, open invitations included. Remove or withdraw some first." },
};

const anEmail = () => `${crypto.randomUUID()}@example.com`;

/** An owner's organization of this many members. Joining by mail takes each of them two requests, which are tested elsewhere. */
const organizationOf = async (count: number) => {
  const owner = await signIn();
  const id = await owner.openOrganization();
  const ids = JSON.stringify(Array.from({ length: count - 1 }, () => crypto.randomUUID()));
  await env.DB.batch(
    [
      `INSERT INTO users (id, name, email, email_verified, created_at_ms, updated_at_ms)
         SELECT value, '', value || '@example.com', 1, 0, 0 FROM json_each(?1) WHERE ?2 <> ''`,
      `INSERT INTO members (id, organization_id, user_id, role, created_at_ms)
         SELECT value, ?2, value, 'member', 0 FROM json_each(?1)`,
    ].map((sql) => env.DB.prepare(sql).bind(ids, id)),
  );
  return { owner, id };
};

const invite = ({ ask }: Browser, organizationId: string, email: string) =>
  ask("POST", `${AUTH}/invite-member`, { email, organizationId });

const Members = z.object({ members: z.array(z.unknown()) });

const membersAt = async ({ ask }: Browser, path: string) => {
  const { status, body } = await ask("GET", `${AUTH}/${path}`);
  return { status, count: Members.parse(body).members.length };
};

it("lists everybody of an organization that is full, and takes nobody else", async () => {
  const { owner, id } = await organizationOf(MAX_PEOPLE - 1);
  const bob = await signIn();
  const invited = z.object({ id: z.string() }).parse((await invite(owner, id, bob.email)).body);
  const eve = anEmail();
  expect(await invite(owner, id, eve)).toEqual(FULL);
  expect(codesSentTo(eve)).toEqual([]);
  const joined = await bob.ask("POST", `${AUTH}/accept-invitation`, { invitationId: invited.id });
  expect(joined).toMatchObject({ status: 200 });
  expect(await invite(owner, id, eve)).toEqual(FULL);
  const all = { status: 200, count: MAX_PEOPLE };
  expect(await membersAt(bob, `get-full-organization?organizationId=${id}`)).toEqual(all);
  expect(await membersAt(bob, `list-members?organizationId=${id}&limit=1000`)).toEqual(all);
});

it("takes an invitation again to somebody who has an open one, and another when one was withdrawn", async () => {
  const { owner, id } = await organizationOf(MAX_PEOPLE - 1);
  const [bob, eve] = [anEmail(), anEmail()];
  await invite(owner, id, bob);
  const again = await invite(owner, id, bob);
  expect(again).toMatchObject({ status: 200 });
  const { id: invitationId } = z.object({ id: z.string() }).parse(again.body);
  expect(await invite(owner, id, eve)).toEqual(FULL);
  await owner.ask("POST", `${AUTH}/cancel-invitation`, { invitationId });
  expect(await invite(owner, id, eve)).toMatchObject({ status: 200 });
});

it("does not say to a stranger that it is full", async () => {
  const { id } = await organizationOf(MAX_PEOPLE);
  expect(await invite(await signIn(), id, anEmail())).toMatchObject({ status: 400 });
});

it("lists what an earlier release let grow beyond the limit, as far as one statement goes", async () => {
  const { owner, id } = await organizationOf(MAX_PEOPLE + 2);
  const all = { status: 200, count: MAX_PEOPLE + 2 };
  expect(await membersAt(owner, `get-full-organization?organizationId=${id}`)).toEqual(all);
});
