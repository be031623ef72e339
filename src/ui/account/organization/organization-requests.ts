/** Requests about organizations. Members share no data; what a person does is only recorded under the active one. */
import { requestJson } from "../../api/request-json.ts";
import { withKey } from "../../state/unsent-keys.ts";

const PATH = "/_framework/auth/organization";

const post = (name: string, body: object): Promise<unknown> => requestJson(`${PATH}/${name}`, { method: "POST", body });

/** An organization that the person belongs to. */
type Organization = { readonly id: string; readonly name: string; readonly slug: string };

/** The person's organizations; most people have none. */
export const readOrganizations = (signal?: AbortSignal): Promise<readonly Organization[]> =>
  requestJson(`${PATH}/list`, { signal });

/** Switches to an organization, or to none with null. */
export const enterOrganization = (organizationId: string | null): Promise<unknown> =>
  post("set-active", { organizationId });

/**
 * Creates an organization and switches to it. Trying again with the same name after a failure makes no second one. The slug only has to be
 * unique and is never shown.
 */
export const createOrganization = (name: string): Promise<unknown> =>
  withKey(`organization ${name}`, async (slug, isAgain) => {
    // Looked up first: creating it again would be refused, as a slug that is taken or because of the limit.
    const made = isAgain ? (await readOrganizations()).find((one) => one.slug === slug) : undefined;
    return await (made ? enterOrganization(made.id) : post("create", { name, slug }));
  });

/** An invitation to the person. */
export type Invitation = {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName?: string;
  readonly expiresAt: string;
};

/** The person's invitations that have not expired. */
export const readInvitations = async (signal?: AbortSignal): Promise<readonly Invitation[]> => {
  const all = await requestJson<readonly Invitation[]>(`${PATH}/list-user-invitations`, { signal });
  return all.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.now());
};

type Answer = "accept" | "reject";

/** Accepts an invitation, which switches to the organization, or rejects it. Succeeds if that has been done, but its answer was lost. */
export const answerInvitation = async (invitation: Invitation, answer: Answer): Promise<void> => {
  try {
    await post(`${answer}-invitation`, { invitationId: invitation.id });
  } catch (error) {
    if (!(await isAnswered(invitation, answer).catch(() => false))) throw error;
    if (answer === "accept") await enterOrganization(invitation.organizationId);
  }
};

/** Whether the invitation is gone, and the person in the organization if that was their answer. */
const isAnswered = async ({ id, organizationId }: Invitation, answer: Answer): Promise<boolean> => {
  const [organizations, invitations] = await Promise.all([readOrganizations(), readInvitations()]);
  const isMember = organizations.some((one) => one.id === organizationId);
  return isMember === (answer === "accept") && invitations.every((one) => one.id !== id);
};

export type Member = {
  readonly id: string;
  readonly role: string;
  readonly user: { readonly email: string };
};

export const readMembers = async (organizationId: string, signal: AbortSignal): Promise<readonly Member[]> => {
  const query = new URLSearchParams({ organizationId });
  const { members } = await requestJson<{ readonly members: readonly Member[] }>(
    `${PATH}/get-full-organization?${query}`,
    { signal },
  );
  return members;
};

/** An invitation of the organization that nobody has answered. */
export type SentInvitation = { readonly id: string; readonly email: string; readonly expiresAt: string };

/** The open invitations, the latest first. */
export const readSentInvitations = async (
  organizationId: string,
  signal: AbortSignal,
): Promise<readonly SentInvitation[]> => {
  const query = new URLSearchParams({ organizationId });
  const all = await requestJson<readonly (SentInvitation & { readonly status: string })[]>(
    `${PATH}/list-invitations?${query}`,
    { signal },
  );
  return all
    .filter(({ status, expiresAt }) => status === "pending" && Date.parse(expiresAt) > Date.now())
    .sort((a, b) => Date.parse(b.expiresAt) - Date.parse(a.expiresAt));
};

/** Takes an invitation back. Its mail stays, and leads to nothing. */
export const cancelInvitation = (invitationId: string): Promise<unknown> => post("cancel-invitation", { invitationId });

/** Mails somebody an invitation. Calling it again mails another one. */
export const inviteMember = (organizationId: string, email: string): Promise<unknown> =>
  post("invite-member", { organizationId, email });

export const leaveOrganization = (organizationId: string): Promise<unknown> => post("leave", { organizationId });

/** Deletes it for everyone. */
export const deleteOrganization = (organizationId: string): Promise<unknown> => post("delete", { organizationId });
