/** Tells people that they are invited, because they would not look for it in the account. */
import type { QueryClient } from "@tanstack/preact-query";
import { showToast } from "../../parts/toasts.tsx";
import { accountOpen } from "../settings/account-open.ts";
import { readInvitations } from "./organization-requests.ts";

/** The query of the person's invitations, for the account as well. */
export const INVITATIONS_QUERY = {
  queryKey: ["organizations", "invitations"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => readInvitations(signal),
} as const;

/** Whom this page has told. Once for each person and page: until the invitation is answered, the next page tells them again. */
let told: string | undefined;

/** Says that there is an invitation, with the way to it. Never rejects: the account lists them in any case. */
export const watchInvitations = async (client: QueryClient, email: string): Promise<void> => {
  if (told === email) return;
  told = email;
  const [invitation] = await client.fetchQuery(INVITATIONS_QUERY).catch(() => []);
  if (invitation === undefined) return;
  showToast({
    text: `${invitation.organizationName ?? "An organization"} invites you to join.`,
    action: { label: "See", run: () => accountOpen.set("account") },
  });
};
