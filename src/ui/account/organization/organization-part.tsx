/** The organizations section of the account dialog: invitations, the active one with its members, and creating one. */
import { IconMail } from "@tabler/icons-preact";
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useRef } from "preact/hooks";
import { readAgain } from "../../api/read-again.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Select } from "../../parts/select.tsx";
import { useOwnId } from "../../parts/use-own-id.ts";
import { useTask } from "../use-task.ts";
import { OneLineForm } from "./one-line-form.tsx";
import { OrganizationPeople } from "./organization-people.tsx";
import {
  answerInvitation,
  createOrganization,
  enterOrganization,
  type Invitation,
  readOrganizations,
} from "./organization-requests.ts";
import { INVITATIONS_QUERY } from "./watch-invitations.ts";

/** The value for no organization. */
const NONE = "";

type OrganizationChoiceProps = {
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
  /** The one that is active. */
  readonly orgId: string | null;
  readonly onPicked: () => Promise<void>;
};

/** When switching fails, the previous one stays active. */
const OrganizationChoice = ({ organizations, orgId, onPicked }: OrganizationChoiceProps) => {
  const id = useOwnId();
  const { problem, runTask } = useTask();
  /** The last pick, not yet switched to. A pick during a switch is handled right after it, unless that switch fails. */
  const wanted = useRef<string>();
  if (organizations.length === 0) return null;
  const enterWanted = async (): Promise<void> => {
    for (let picked = wanted.current; picked !== undefined; picked = wanted.current) {
      wanted.current = undefined;
      await enterOrganization(picked === NONE ? null : picked);
      if (wanted.current === undefined) await onPicked();
    }
  };
  const pick = (picked: string): void => {
    wanted.current = picked;
    void runTask(enterWanted);
  };
  return (
    <div class="field">
      <label for={id}>Organization</label>
      <Select
        id={id}
        value={orgId ?? NONE}
        options={[[NONE, "None, on my own"], ...organizations.map(({ id: value, name }) => [value, name] as const)]}
        onPick={pick}
      />
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
};

const nameOf = ({ organizationName = "an organization" }: Invitation): string => organizationName;

type OrganizationInvitationsProps = {
  readonly invitations: readonly Invitation[];
  readonly onAnswered: () => Promise<void>;
};

const OrganizationInvitations = ({ invitations, onAnswered }: OrganizationInvitationsProps) => {
  const { isBusy, problem, runTask } = useTask();
  if (invitations.length === 0) return null;
  const answer = (invitation: Invitation, how: "accept" | "reject"): Promise<unknown> =>
    runTask(async () => {
      await answerInvitation(invitation, how);
      await onAnswered();
      announce(how === "accept" ? `You now work in ${nameOf(invitation)}.` : "The invitation was declined.");
    });
  return (
    <>
      <ul class="logins">
        {invitations.map((invitation) => (
          <li class="login" key={invitation.id}>
            <IconMail size={20} stroke={1.75} aria-hidden="true" />
            <div>
              You are invited to <b>{nameOf(invitation)}</b>
            </div>
            <Button isSmall aria-disabled={isBusy} onClick={() => void answer(invitation, "reject")}>
              Decline
            </Button>
            <Button isSmall tone="primary" aria-disabled={isBusy} onClick={() => void answer(invitation, "accept")}>
              Accept
            </Button>
          </li>
        ))}
      </ul>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
};

/** `orgId` is the one that is active. */
export const OrganizationPart = ({ email, orgId }: { readonly email: string; readonly orgId: string | null }) => {
  const client = useQueryClient();
  const { data: organizations = [] } = useQuery({
    queryKey: ["organizations"],
    queryFn: ({ signal }) => readOrganizations(signal),
  });
  const { data: invitations = [] } = useQuery(INVITATIONS_QUERY);
  /** Reloads everything that a change here affects. */
  const refresh = async (): Promise<void> => {
    await readAgain(client, ["organizations"]);
    await readAgain(client, ["session"]);
  };
  const create = async (name: string): Promise<void> => {
    await createOrganization(name);
    await refresh();
    announce(`${name} was created. You now work in it.`);
  };
  const active = organizations.find(({ id }) => id === orgId);
  return (
    <section class="account-part">
      <h3>Organizations</h3>
      <p class="muted">
        Your work is recorded under the organization you choose. Its members never see your stocks or chats.
      </p>
      <OrganizationInvitations invitations={invitations} onAnswered={refresh} />
      <OrganizationChoice organizations={organizations} orgId={orgId} onPicked={refresh} />
      {active && <OrganizationPeople key={active.id} organization={active} email={email} onChanged={refresh} />}
      <OneLineForm label="New organization's name" action="Create" type="text" onSend={create} />
    </section>
  );
};
