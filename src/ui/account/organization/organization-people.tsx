import { IconMail, IconUser } from "@tabler/icons-preact";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import { readAgain } from "../../api/read-again.ts";
import { announce } from "../../parts/announcer.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { useTask } from "../use-task.ts";
import { OneLineForm } from "./one-line-form.tsx";
import {
  cancelInvitation,
  deleteOrganization,
  inviteMember,
  leaveOrganization,
  readMembers,
  readSentInvitations,
  type SentInvitation,
} from "./organization-requests.ts";

/**
 * The key in the cache of all people of organizations. Not under "organizations": those are refetched after one is deleted, when its
 * members can no longer be read.
 */
export const PEOPLE_KEY = ["organization-people"] as const;

type OrganizationPeopleProps = {
  readonly organization: { readonly id: string; readonly name: string };
  /** The signed-in person's. */
  readonly email: string;
  readonly onChanged: () => Promise<void>;
};

/** The members of the active organization. An owner cannot leave, only delete it, because somebody has to be able to delete it. */
export const OrganizationPeople = ({ organization: { id, name }, email, onChanged }: OrganizationPeopleProps) => {
  const { data: members = [] } = useQuery({
    queryKey: [...PEOPLE_KEY, id],
    queryFn: ({ signal }) => readMembers(id, signal),
  });
  const client = useQueryClient();
  const pendingKey = [...PEOPLE_KEY, id, "invitations"];
  const pending = useQuery({ queryKey: pendingKey, queryFn: ({ signal }) => readSentInvitations(id, signal) });
  const { isBusy, problem, runTask } = useTask();
  const [said, setSaid] = useState("");
  const [isAsking, setAsking] = useState(false);
  const own = members.find(({ user }) => user.email === email);
  if (own === undefined) return null;
  const isOwner = own.role === "owner";
  const isManager = own.role !== "member";
  const invite = async (invited: string): Promise<void> => {
    setSaid("");
    await inviteMember(id, invited);
    setSaid(`${invited} was sent an invitation.`);
    await readAgain(client, pendingKey);
  };
  const withdraw = (invitation: SentInvitation): Promise<unknown> =>
    runTask(async () => {
      await cancelInvitation(invitation.id);
      setSaid(`The invitation to ${invitation.email} was withdrawn.`);
      await readAgain(client, pendingKey);
    });
  const exit = (how: typeof leaveOrganization): Promise<unknown> =>
    runTask(async () => {
      await how(id);
      await onChanged();
      announce(`You now work on your own, not in ${name}.`);
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
        {pending.data?.map((invitation) => (
          <li class="login" key={invitation.id}>
            <IconMail size={20} stroke={1.75} aria-hidden="true" />
            <div>{invitation.email}</div>
            <Badge>invited</Badge>
            {isManager && (
              <Button
                isSmall
                aria-label={`Withdraw the invitation to ${invitation.email}`}
                aria-disabled={isBusy}
                onClick={() => void withdraw(invitation)}
              >
                Withdraw
              </Button>
            )}
          </li>
        ))}
      </ul>
      {isManager && <OneLineForm label="Invite by email" action="Invite" type="email" onSend={invite} />}
      <p role="status">{said}</p>
      {!isOwner && (
        <Button aria-disabled={isBusy} onClick={() => void exit(leaveOrganization)}>
          Leave {name}
        </Button>
      )}
      {isOwner && !isAsking && <Button onClick={() => setAsking(true)}>Delete {name}…</Button>}
      {isOwner && isAsking && (
        <Button tone="danger" aria-disabled={isBusy} onClick={() => void exit(deleteOrganization)}>
          Delete {name} for everyone
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
