/** Runs before the first paint and applies the chosen theme, so that the page never flashes in the other one. */
import { readTheme, showTheme } from "./state/theme.ts";

showTheme(readTheme());
