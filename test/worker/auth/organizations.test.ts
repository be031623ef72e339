/** Organizations from end to end: make one, invite by mail, accept, act in it, leave; and who may not. */
import { env } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { TurnStartResponse } from "../../../src/contract/turn.ts";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { codesSentTo } from "../../support/workerd/outbox.ts";
import { aBrowser, type Browser, signIn } from "../../support/workerd/sign-in.ts";

const AUTH = "/_framework/auth/organization";
const UNSIGNED = { status: 401, body: { error: "Sign in to run the agent." } };
const TOO_MANY = { status: 429, body: { error: "Too many requests. Try again later." } };

const WithId = z.object({ id: z.string() });
const Invitations = z.array(z.object({ id: z.string(), organizationName: z.string(), status: z.string() }));

const make = async ({ ask }: Browser, name = "Home") =>
  WithId.parse((await ask("POST", `${AUTH}/create`, { name, slug: crypto.randomUUID() })).body).id;

const invite = ({ ask }: Browser, organizationId: string, email: string) =>
  ask("POST", `${AUTH}/invite-member`, { email, organizationId });

const invitationsOf = async ({ ask }: Browser) =>
  Invitations.parse((await ask("GET", `${AUTH}/list-user-invitations`)).body);

const accept = async (browser: Browser) => {
  const [invitation] = await invitationsOf(browser);
  return await browser.ask("POST", `${AUTH}/accept-invitation`, { invitationId: invitation?.id });
};

const orgIdOf = async ({ session }: Browser) =>
  z.object({ orgId: z.string().nullable() }).parse((await session()).body).orgId;

/** An owner and a member of one organization; the member acts in it. */
const aTeam = async () => {
  const [owner, member] = [await signIn(), await signIn()];
  const id = await make(owner);
  await invite(owner, id, member.email);
  await accept(member);
  return { owner, member, id };
};

it("is left by no link of another site, though that is a read", async () => {
  const { owner, id } = await aTeam();
  const other = await signIn();
  await make(other, "Another");
  await owner.ask("POST", `${AUTH}/set-active`, { organizationId: id });
  const path = `${AUTH}/get-full-organization?organizationId=${await orgIdOf(other)}`;
  const followed = await owner.request(path, { headers: { "sec-fetch-site": "cross-site" } });
  expect(followed.status).toBe(403);
  owner.dropCookieCache();
  expect(await orgIdOf(owner)).toBe(id);
});

describe("an organization", () => {
  it("is made, invited into by mail, accepted, chosen, and left", async () => {
    const [ann, bob] = [await signIn(), await signIn()];
    const id = await make(ann, "The Smiths");
    expect(await invite(ann, id, bob.email.toUpperCase())).toMatchObject({ status: 200, body: { email: bob.email } });
    expect(codesSentTo(bob.email).at(-1)).toContain(`${ann.email} invites you to an organization in Tally.`);
    expect(codesSentTo(bob.email).at(-1)).toContain(`Sign in at https://tally.test/ as ${bob.email}.`);
    expect(await invitationsOf(bob)).toMatchObject([{ organizationName: "The Smiths", status: "pending" }]);
    expect(await accept(bob)).toMatchObject({ status: 200 });
    expect(await orgIdOf(bob)).toBe(id);
    await bob.ask("POST", `${AUTH}/set-active`, { organizationId: null });
    expect(await orgIdOf(bob)).toBe(null);
    await bob.ask("POST", `${AUTH}/set-active`, { organizationId: id });
    expect(await bob.ask("POST", `${AUTH}/leave`, { organizationId: id })).toMatchObject({ status: 200 });
    expect(await orgIdOf(bob)).toBe(null);
    expect(await bob.ask("GET", `${AUTH}/list`)).toEqual({ status: 200, body: [] });
  });

  it("has one open invitation a person: a later one replaces it, with its role and its date", async () => {
    const [ann, bob] = [await signIn(), await signIn()];
    const id = await make(ann);
    const inviteAs = (role: string) =>
      ann.ask("POST", `${AUTH}/invite-member`, { email: bob.email, organizationId: id, role });
    expect(await inviteAs("owner")).toMatchObject({ status: 200, body: { role: "owner" } });
    const [first] = await invitationsOf(bob);
    expect(await inviteAs("member")).toMatchObject({ status: 200, body: { role: "member", status: "pending" } });
    expect(await invitationsOf(bob)).toHaveLength(1);
    const accepted = await bob.ask("POST", `${AUTH}/accept-invitation`, { invitationId: first?.id });
    expect(accepted.status).toBe(400);
    expect(await accept(bob)).toMatchObject({ status: 200 });
    const { body } = await bob.ask("GET", `${AUTH}/get-active-member`);
    expect(body).toMatchObject({ role: "member" });
  });

  it.each([
    ["making it", async (browser: Browser) => await make(browser)],
    [
      "choosing it",
      async (browser: Browser) => {
        const id = await make(browser);
        await browser.ask("POST", `${AUTH}/set-active`, { organizationId: null });
        await browser.ask("POST", `${AUTH}/set-active`, { organizationId: id });
        return id;
      },
    ],
    [
      "accepting",
      async (browser: Browser & { readonly email: string }) => {
        const owner = await signIn();
        const id = await make(owner);
        await invite(owner, id, browser.email);
        await accept(browser);
        return id;
      },
    ],
    [
      "leaving",
      async (browser: Browser & { readonly email: string }) => {
        const owner = await signIn();
        const id = await make(owner);
        await invite(owner, id, browser.email);
        await accept(browser);
        await browser.ask("POST", `${AUTH}/leave`, { organizationId: id });
        return null;
      },
    ],
  ])("is recorded with the very next turn after %s", async (_, work) => {
    const model = await scriptModel(inject("modelUrl"), [say("Hello.")]);
    const browser = await signIn();
    const orgId = await work(browser);
    const turn = { threadId: crypto.randomUUID(), prompt: model.prompt("hello") };
    const { runId, events } = TurnStartResponse.parse((await browser.ask("POST", "/api/agent/turn", turn)).body);
    await (await browser.request(events)).text();
    const row = await env.DB.prepare("SELECT org_id FROM runs WHERE run_id = ?").bind(runId).first();
    expect(row).toEqual({ org_id: orgId });
  });

  it("is not acted in any more by whoever was removed, in any browser", async () => {
    const { owner, member, id } = await aTeam();
    const phone = await signIn(member.email);
    await phone.ask("POST", `${AUTH}/set-active`, { organizationId: id });
    const removal = { memberIdOrEmail: member.email, organizationId: id };
    expect(await owner.ask("POST", `${AUTH}/remove-member`, removal)).toMatchObject({ status: 200 });
    member.dropCookieCache();
    phone.dropCookieCache();
    expect([await orgIdOf(member), await orgIdOf(phone), await orgIdOf(owner)]).toEqual([null, null, id]);
  });

  it("that is deleted is nobody's any more", async () => {
    const { owner, member, id } = await aTeam();
    expect(await owner.ask("POST", `${AUTH}/delete`, { organizationId: id })).toMatchObject({ status: 200 });
    member.dropCookieCache();
    expect([await orgIdOf(member), await orgIdOf(owner)]).toEqual([null, null]);
  });
});

describe("an invitation", () => {
  it("says nothing in the mail that its sender could have written, but for their address", async () => {
    const [ann, bob] = [await signIn(), await signIn()];
    const id = await make(ann, "<a href=//evil.test>Your account is closed</a> http://evil.test");
    await invite(ann, id, bob.email);
    expect(codesSentTo(bob.email).at(-1)).not.toMatch(/evil|closed|</);
  });

  it("is sent once more when it is made again, five times a day to one person", async () => {
    const [ann, bob] = [await signIn(), `${crypto.randomUUID()}@example.com`];
    const id = await make(ann);
    const statuses = [
      ...[await invite(ann, id, bob), await invite(ann, id, bob), await invite(ann, id, bob)],
      ...[await invite(ann, id, bob), await invite(ann, id, bob)],
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect(codesSentTo(bob)).toHaveLength(5);
    expect(await invite(ann, id, bob)).toEqual(TOO_MANY);
    const carl = await signIn();
    expect(await invite(carl, await make(carl), bob)).toEqual(TOO_MANY);
  });

  it("that is refused uses up nothing of whom it was for", async () => {
    const [ann, bob] = [await signIn(), await signIn()];
    const [id, eves] = [await make(ann), await aTeam()];
    const { owner, member } = eves;
    const refused = [
      ...[await invite(member, id, bob.email), await invite(member, eves.id, bob.email)],
      ...[await invite(owner, id, bob.email), await invite(owner, crypto.randomUUID(), bob.email)],
      await invite(bob, eves.id, bob.email),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 403, 400, 400, 400]);
    expect(await invite(ann, id, bob.email)).toMatchObject({ status: 200 });
    expect(await accept(bob)).toMatchObject({ status: 200 });
    const again = await Promise.all(Array.from({ length: 5 }, () => invite(ann, id, bob.email)));
    expect(again.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    const carl = await signIn();
    expect(await invite(carl, await make(carl), bob.email)).toMatchObject({ status: 200 });
  });

  it("is kept when its mail cannot be sent, and the sender is told", async () => {
    const ann = await signIn();
    expect(await invite(ann, await make(ann), `bounces-${crypto.randomUUID()}@example.com`)).toEqual({
      status: 503,
      body: { error: "The invitation was saved, but its mail could not be sent. Invite them again later." },
    });
  });

  it.each(["", "bob", "bob@example.com\r\nBcc: all@example.com", "bоb@example.com", "\u212Aim@example.com"])(
    "does not go to %j",
    async (email) => {
      const ann = await signIn();
      expect(await invite(ann, await make(ann), email)).toMatchObject({ status: 400 });
    },
  );

  it("is not accepted by somebody in 20 organizations, and waits until they are in one less", async () => {
    const [ann, bob] = [await signIn(), await signIn()];
    await invite(ann, await make(ann), bob.email);
    for (let nth = 1; nth < 20; nth += 1) await make(bob);
    const organizationId = await make(bob);
    const error = "You are in 20 organizations, the limit. Leave or delete one first.";
    expect(await accept(bob)).toEqual({ status: 409, body: { error } });
    await bob.ask("POST", `${AUTH}/delete`, { organizationId });
    expect(await accept(bob)).toMatchObject({ status: 200 });
  });

  it("is of no use to anybody else, and is not shown to them", async () => {
    const [ann, bob, eve] = [await signIn(), await signIn(), await signIn()];
    await invite(ann, await make(ann), bob.email);
    const [invitation] = await invitationsOf(bob);
    expect(await invitationsOf(eve)).toEqual([]);
    expect(await eve.ask("POST", `${AUTH}/accept-invitation`, { invitationId: invitation?.id })).toMatchObject({
      status: 403,
    });
    expect(await eve.ask("GET", `${AUTH}/get-invitation?id=${invitation?.id}`)).toMatchObject({ status: 403 });
  });
});

describe("a stranger to an organization, and a plain member,", () => {
  it.each([
    ["invite-member", 400, { email: "eve@example.com", role: "owner" }],
    ["remove-member", 400, { memberIdOrEmail: "nobody@example.com" }],
    ["leave", 400, {}],
    ["delete", 400, {}],
    ["update", 400, { data: { name: "Taken" } }],
    ["set-active", 403, {}],
  ])("cannot: %s", async (name, status, fields) => {
    const { owner, id } = await aTeam();
    const eve = await signIn();
    expect(await eve.ask("POST", `${AUTH}/${name}`, { ...fields, organizationId: id })).toMatchObject({ status });
    expect(await orgIdOf(eve)).toBe(null);
    expect(await owner.ask("GET", `${AUTH}/list`)).toMatchObject({ body: [{ id, name: "Home" }] });
  });

  it.each([
    // Nobody may take the only owner away.
    ["remove-member", 400],
    ["delete", 403],
    ["invite-member", 403],
    ["update", 403],
  ])("cannot as a member: %s", async (name, status) => {
    const { owner, member, id } = await aTeam();
    const body = {
      memberIdOrEmail: owner.email,
      email: "eve@example.com",
      data: { name: "Taken" },
      organizationId: id,
    };
    expect(await member.ask("POST", `${AUTH}/${name}`, body)).toMatchObject({ status });
    expect(await owner.ask("GET", `${AUTH}/list`)).toMatchObject({ body: [{ id, name: "Home" }] });
  });

  it.each(["list", "list-user-invitations", "get-full-organization"])(
    "is answered 401 when nobody is signed in: %s",
    async (name) => {
      expect(await aBrowser().ask("GET", `${AUTH}/${name}`)).toEqual(UNSIGNED);
      expect(await aBrowser().ask("POST", `${AUTH}/create`, { name: "Home", slug: "home" })).toEqual(UNSIGNED);
    },
  );

  it.each(["", "two\nlines", "a\u202Eb", "x".repeat(81)])("is not called %j", async (name) => {
    expect(await (await signIn()).ask("POST", `${AUTH}/create`, { name, slug: "home" })).toMatchObject({ status: 400 });
  });
});
