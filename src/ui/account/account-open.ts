/** Which dialog of the account is open; kept apart from the menu, which is gone once an entry was chosen. */
import { createStore } from "../state/store.ts";

/** `delete` is the question before everything goes. */
export const accountOpen = createStore<"account" | "delete" | undefined>(undefined);
