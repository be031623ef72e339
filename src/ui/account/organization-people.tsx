/** Who is in the organization the person works in, and the ways in and out of it. */
import { IconUser } from "@tabler/icons-preact";
import { useQuery } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { announce } from "../parts/announcer.tsx";
import { Badge } from "../parts/badge.tsx";
import { Button } from "../parts/button.tsx";
import { OneLineForm } from "./one-line-form.tsx";
import { deleteOrganization, inviteMember, leaveOrganization, readMembers } from "./organization-requests.ts";
import { useAttempt } from "./use-attempt.ts";

type OrganizationPeopleProps = {
  readonly organization: { readonly id: string; readonly name: string };
  /** The person's own. */
  readonly email: string;
  readonly onChanged: () => Promise<void>;
};

/** Its owner ends it instead of leaving: somebody has to be able to. */
export const OrganizationPeople = ({ organization: { id, name }, email, onChanged }: OrganizationPeopleProps) => {
  const { data: members = [] } = useQuery({
    // Not below "organizations": those are read again behind the end of this one, whose people nobody may read then.
    queryKey: ["organization-people", id],
    queryFn: ({ signal }) => readMembers(id, signal),
  });
  const { isBusy, problem, attempt } = useAttempt();
  const [isAsking, setAsking] = useState(false);
  const own = members.find(({ user }) => user.email === email);
  if (own === undefined) return null;
  const isOwner = own.role === "owner";
  const invite = async (invited: string): Promise<void> => {
    await inviteMember(id, invited);
    announce(`${invited} was sent an invitation.`);
  };
  const goOut = (how: typeof leaveOrganization): Promise<unknown> =>
    attempt(async () => {
      await how(id);
      await onChanged();
      announce(`You work on your own now, not in ${name}.`);
    });
  return (
    <>
      <ul class="logins">
        {members.map(({ id: memberId, role, user }) => (
          <li class="login" key={memberId}>
            <IconUser size={20} stroke={1.75} aria-hidden="true" />
            <div>{user.email}</div>
            {role !== "member" && <Badge>{role}</Badge>}
          </li>
        ))}
      </ul>
      {own.role !== "member" && <OneLineForm label="Invite by e-mail" action="Invite" type="email" onSend={invite} />}
      {!isOwner && (
        <Button aria-disabled={isBusy} onClick={() => void goOut(leaveOrganization)}>
          Leave {name}
        </Button>
      )}
      {isOwner && !isAsking && <Button onClick={() => setAsking(true)}>Delete {name}…</Button>}
      {isOwner && isAsking && (
        <Button tone="danger" aria-disabled={isBusy} onClick={() => void goOut(deleteOrganization)}>
          Delete {name} for everybody in it
        </Button>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
};
