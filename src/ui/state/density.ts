/** How close the rows of the list are; kept in this browser. */
import { createStore } from "./store.ts";

const STORAGE_KEY = "tally.compact";

/** Whether a person chose compact rows. */
export const compactRows = createStore(localStorage.getItem(STORAGE_KEY) === "1");

/** Changes the choice and remembers it. */
export const chooseCompact = (isCompact: boolean): void => {
  compactRows.set(isCompact);
  try {
    localStorage.setItem(STORAGE_KEY, isCompact ? "1" : "0");
  } catch {
    // The choice lasts for this page.
  }
};
