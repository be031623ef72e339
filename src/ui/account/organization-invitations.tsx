/** Invitations to the person, each with its two answers. */
import { IconMail } from "@tabler/icons-preact";
import { announce } from "../parts/announcer.tsx";
import { Button } from "../parts/button.tsx";
import { answerInvitation, type Invitation } from "./organization-requests.ts";
import { useAttempt } from "./use-attempt.ts";

type OrganizationInvitationsProps = {
  readonly invitations: readonly Invitation[];
  readonly onAnswered: () => Promise<void>;
};

/** Nothing without any. */
export const OrganizationInvitations = ({ invitations, onAnswered }: OrganizationInvitationsProps) => {
  const { isBusy, problem, attempt } = useAttempt();
  if (invitations.length === 0) return null;
  const answer = ({ id, organizationName }: Invitation, how: "accept" | "reject"): Promise<unknown> =>
    attempt(async () => {
      await answerInvitation(id, how);
      await onAnswered();
      announce(how === "accept" ? `You work in ${organizationName} now.` : "The invitation was declined.");
    });
  return (
    <>
      <ul class="logins">
        {invitations.map((invitation) => {
          const { id, organizationName: name = "an organization" } = invitation;
          return (
            <li class="login" key={id}>
              <IconMail size={20} stroke={1.75} aria-hidden="true" />
              <div>
                You are invited to <b>{name}</b>
              </div>
              <Button isSmall aria-disabled={isBusy} onClick={() => void answer(invitation, "reject")}>
                Decline
              </Button>
              <Button isSmall tone="primary" aria-disabled={isBusy} onClick={() => void answer(invitation, "accept")}>
                Accept
              </Button>
            </li>
          );
        })}
      </ul>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
};
