/** `set-navigation`: a screen tells where it is (CONTRACT §5). */
import * as z from "zod";
import { Navigation } from "./navigation.ts";

/** Largest navigation state, as JSON in UTF-8. */
const MAX_NAVIGATION_BYTES = 2_048;

export const SetNavigationInput = Navigation.refine(
  (navigation) => new TextEncoder().encode(JSON.stringify(navigation)).length <= MAX_NAVIGATION_BYTES,
  { path: ["navigation"], error: "use at most 2 KB" },
);
export type SetNavigationInput = z.infer<typeof SetNavigationInput>;

export const SetNavigationOutput = z.object({ ok: z.literal(true) });
export type SetNavigationOutput = z.infer<typeof SetNavigationOutput>;
