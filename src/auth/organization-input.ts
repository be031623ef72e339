/** Bodies of the organization routes that need more than better-auth asks for. Nothing but what is here reaches it. */
import * as z from "zod";
import { TypedEmail } from "./sign-in-request.ts";

/** What people call it; on one line. */
const Name = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u);

const Slug = z
  .string()
  .max(80)
  .regex(/^[a-z0-9][a-z0-9-]*$/);

/** `POST /organization/create`. */
export const NewOrganization = z.object({ name: Name, slug: Slug });

/** `POST /organization/update`. */
export const OrganizationChange = z.object({
  organizationId: z.uuid(),
  data: z.object({ name: Name.optional(), slug: Slug.optional() }),
});

/** `POST /organization/invite-member`. Asked for again, the invitation is renewed and mailed once more. */
export const NewInvitation = z.object({
  email: TypedEmail,
  role: z.enum(["member", "admin", "owner"]).default("member"),
  organizationId: z.uuid(),
});

/** Routes by which somebody is no member any more. */
export const Leaving = z.looseObject({ organizationId: z.uuid() });
