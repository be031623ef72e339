/**
 * Runs before the first paint and applies the chosen theme, so that the page never flashes in the other one. It is the first to ask for the
 * browser's storage: where that is blocked, the app cannot start, and the page says so.
 */
import { readTheme, showTheme } from "./state/theme.ts";

try {
  showTheme(readTheme());
} catch {
  // A browser that blocks the storage blocks cookies too, so nobody could sign in.
  document.documentElement.dataset.blocked = "";
}
