/** The signed-in identity. It is passed on as an argument: that is the request context of spec §4.1.2. */
import type { OwnerEmail } from "./ids.ts";

/**
 * Who calls. `orgId` is recorded with runs and sessions and never widens what a query sees. `loginId` names the log-in the
 * call came by, which can be revoked; absent for the identity of a machine where sign-in is off.
 */
export type Caller = { readonly ownerEmail: OwnerEmail; readonly orgId: string | null; readonly loginId?: string };
