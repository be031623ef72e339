/** Which of the account menu's dialogs is open. Kept outside of the menu, which closes when an entry is chosen. */
import { createStore } from "../../state/store.ts";

/** `delete` confirms the deletion of the account. */
export const accountOpen = createStore<"account" | "delete" | "schedules" | undefined>(undefined);
