/** Runs before the first paint: sets the theme a person chose, so that the page never flashes in the other one. */
import { readTheme, showTheme } from "./shell/theme.ts";

showTheme(readTheme());
