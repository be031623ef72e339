/** Requests about organizations. Members share no data; what a person does is only recorded under the active one. */
import { requestJson } from "../../api/request-json.ts";

const PATH = "/_framework/auth/organization";

const post = (name: string, body: object): Promise<unknown> => requestJson(`${PATH}/${name}`, { method: "POST", body });

/** An organization that the person belongs to. */
type Organization = { readonly id: string; readonly name: string };

/** The person's organizations; most people have none. */
export const readOrganizations = (signal: AbortSignal): Promise<readonly Organization[]> =>
  requestJson(`${PATH}/list`, { signal });

/** Switches to an organization, or to none with null. */
export const enterOrganization = (organizationId: string | null): Promise<unknown> =>
  post("set-active", { organizationId });

/** Creates an organization and switches to it. The slug only has to be unique and is never shown. */
export const createOrganization = (name: string): Promise<unknown> =>
  post("create", { name, slug: crypto.randomUUID() });

/** An invitation to the person. */
export type Invitation = { readonly id: string; readonly organizationName?: string; readonly expiresAt: string };

/** The person's invitations that have not expired. */
export const readInvitations = async (signal: AbortSignal): Promise<readonly Invitation[]> => {
  const all = await requestJson<readonly Invitation[]>(`${PATH}/list-user-invitations`, { signal });
  return all.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.now());
};

/** Accepts an invitation, which switches to the organization, or rejects it. */
export const answerInvitation = (invitationId: string, answer: "accept" | "reject"): Promise<unknown> =>
  post(`${answer}-invitation`, { invitationId });

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
