/** What the account asks of organizations. Nothing is shared by one: it is noted with what a person does in it. */
import { requestJson } from "../actions/request-json.ts";

const PATH = "/_framework/auth/organization";

const post = (name: string, body: object): Promise<unknown> => requestJson(`${PATH}/${name}`, { method: "POST", body });

/** An organization that the person belongs to. */
type Organization = { readonly id: string; readonly name: string };

/** The person's organizations; usually none. */
export const readOrganizations = (signal: AbortSignal): Promise<readonly Organization[]> =>
  requestJson(`${PATH}/list`, { signal });

/** Works in an organization from now on; null for none. */
export const enterOrganization = (organizationId: string | null): Promise<unknown> =>
  post("set-active", { organizationId });

/** Makes one, and works in it from now on. Its slug is its alone and shown nowhere. */
export const createOrganization = (name: string): Promise<unknown> =>
  post("create", { name, slug: crypto.randomUUID() });

/** An invitation to the person. */
export type Invitation = { readonly id: string; readonly organizationName?: string; readonly expiresAt: string };

/** Those that can still be accepted. */
export const readInvitations = async (signal: AbortSignal): Promise<readonly Invitation[]> => {
  const all = await requestJson<readonly Invitation[]>(`${PATH}/list-user-invitations`, { signal });
  return all.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.now());
};

/** Joins, and works in it from now on; or says no. */
export const answerInvitation = (invitationId: string, answer: "accept" | "reject"): Promise<unknown> =>
  post(`${answer}-invitation`, { invitationId });

/** One of an organization's people. */
export type Member = {
  readonly id: string;
  readonly role: string;
  readonly user: { readonly email: string };
};

/** Its people. */
export const readMembers = async (organizationId: string, signal: AbortSignal): Promise<readonly Member[]> => {
  const query = new URLSearchParams({ organizationId });
  const { members } = await requestJson<{ readonly members: readonly Member[] }>(
    `${PATH}/get-full-organization?${query}`,
    { signal },
  );
  return members;
};

/** Mails somebody an invitation; asked for again, once more. */
export const inviteMember = (organizationId: string, email: string): Promise<unknown> =>
  post("invite-member", { organizationId, email });

/** Belongs to it no more. */
export const leaveOrganization = (organizationId: string): Promise<unknown> => post("leave", { organizationId });

/** Ends it for everybody. */
export const deleteOrganization = (organizationId: string): Promise<unknown> => post("delete", { organizationId });
