/** `set-navigation`: the screen's state, kept until the next one. For screens; the agent moves them by `navigate`. */
import { SetNavigationInput, SetNavigationOutput } from "../contract/set-navigation.ts";
import { saveNavigation } from "../db/navigation.ts";
import { defineAction } from "./define-action.ts";

export const setNavigation = defineAction<SetNavigationInput, SetNavigationOutput>({
  name: "set-navigation",
  kind: "write",
  description: "Keeps what the person's screen shows, for view-screen.",
  input: SetNavigationInput,
  output: SetNavigationOutput,
  run: async ({ db, caller, nowMs }, input) => {
    await saveNavigation(db, caller.ownerEmail, JSON.stringify(input), new Date(nowMs()).toISOString());
    return { ok: true };
  },
  title: ({ view }) => `Show ${view}`,
});
