/** A schedule runs in the organization it was created in, as long as its owner belongs to that. */
import { env } from "cloudflare:test";
import { expect, inject, it } from "vitest";
import { z } from "zod";
import { startDue } from "../../../src/schedule/start-due.ts";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { makeDue, YEARLY } from "../../support/workerd/schedules-client.ts";
import { signIn } from "../../support/workerd/sign-in.ts";

nothingDue();

const AUTH = "/_framework/auth/organization";
const Created = z.object({ schedule: z.object({ id: z.string() }) });
const Invitations = z.array(z.object({ id: z.string() }));

/** An owner and a member of one organization, in which the member has a schedule that is due. */
const aTeam = async () => {
  const [owner, member] = [await signIn(), await signIn()];
  const organizationId = await owner.openOrganization();
  await owner.ask("POST", `${AUTH}/invite-member`, { email: member.email, organizationId });
  const { body } = await member.ask("GET", `${AUTH}/list-user-invitations`);
  await member.ask("POST", `${AUTH}/accept-invitation`, { invitationId: Invitations.parse(body)[0]?.id });
  const model = await scriptModel(inject("modelUrl"), [say("Nothing is near.")]);
  const input = { ...YEARLY, prompt: model.prompt("Which targets are near?") };
  const created = await member.ask("POST", "/_framework/actions/create-schedule", input);
  await makeDue(Created.parse(created.body).schedule.id, Date.now() - 60_000);
  return { owner, member, organizationId };
};

/** The organization that the person's only run is of. */
const ranIn = async ({ email }: { readonly email: string }) => {
  const { results } = await env.DB.prepare("SELECT org_id FROM runs WHERE owner_email = ?").bind(email).all();
  return results;
};

it("a schedule runs in the organization of its owner", async () => {
  const { member, organizationId } = await aTeam();
  await startDue(env, Date.now());
  expect(await ranIn(member)).toEqual([{ org_id: organizationId }]);
});

it.each<[string, (team: Awaited<ReturnType<typeof aTeam>>) => Promise<unknown>]>([
  ["was left", ({ member, organizationId }) => member.ask("POST", `${AUTH}/leave`, { organizationId })],
  [
    "removed its owner",
    ({ owner, member, organizationId }) =>
      owner.ask("POST", `${AUTH}/remove-member`, { memberIdOrEmail: member.email, organizationId }),
  ],
  ["was deleted", ({ owner, organizationId }) => owner.ask("POST", `${AUTH}/delete`, { organizationId })],
])("a schedule of an organization that %s runs for the person alone", async (_, end) => {
  const team = await aTeam();
  expect(await end(team)).toMatchObject({ status: 200 });
  await startDue(env, Date.now());
  expect(await ranIn(team.member)).toEqual([{ org_id: null }]);
});
