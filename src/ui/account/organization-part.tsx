/** Organizations in the account: invitations to answer, which one to work in, its people, and making one. */
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { announce } from "../parts/announcer.tsx";
import { OneLineForm } from "./one-line-form.tsx";
import { OrganizationChoice } from "./organization-choice.tsx";
import { OrganizationInvitations } from "./organization-invitations.tsx";
import { OrganizationPeople } from "./organization-people.tsx";
import { createOrganization, readInvitations, readOrganizations } from "./organization-requests.ts";

/** `orgId` is the one that is active. */
export const OrganizationPart = ({ email, orgId }: { readonly email: string; readonly orgId: string | null }) => {
  const client = useQueryClient();
  const { data: organizations = [] } = useQuery({
    queryKey: ["organizations"],
    queryFn: ({ signal }) => readOrganizations(signal),
  });
  const { data: invitations = [] } = useQuery({
    queryKey: ["organizations", "invitations"],
    queryFn: ({ signal }) => readInvitations(signal),
  });
  /** What a change of any of it leaves to be read again. */
  const refresh = async (): Promise<void> => {
    await client.refetchQueries({ queryKey: ["organizations"] });
    await client.refetchQueries({ queryKey: ["session"] });
  };
  const create = async (name: string): Promise<void> => {
    await createOrganization(name);
    await refresh();
    announce(`${name} was made. You work in it now.`);
  };
  const active = organizations.find(({ id }) => id === orgId);
  return (
    <section class="account-part">
      <h3>Organizations</h3>
      <p class="muted">What you do is noted with the one you work in. Nobody in it sees your things.</p>
      <OrganizationInvitations invitations={invitations} onAnswered={refresh} />
      <OrganizationChoice organizations={organizations} orgId={orgId} onPicked={refresh} />
      {active && <OrganizationPeople key={active.id} organization={active} email={email} onChanged={refresh} />}
      <OneLineForm label="Start a new one called" action="Create" type="text" onSend={create} />
    </section>
  );
};
