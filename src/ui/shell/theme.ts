/** The colour theme a person chose; kept in this browser. */

/** `system` follows the operating system. */
export type Theme = "light" | "dark" | "system";

export const THEMES: readonly Theme[] = ["system", "light", "dark"];

const STORAGE_KEY = "tally.theme";

/** The chosen theme; `system` when none was chosen or storage is closed to us. */
export const readTheme = (): Theme => {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return THEMES.find((theme) => theme === stored) ?? "system";
  } catch {
    // Private windows can refuse storage; the system's theme is as good a start.
    return "system";
  }
};

/** Shows a theme on this page, and to the browser for its own bars. */
export const showTheme = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // In the page's head: a light one and a dark one.
  document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]").forEach((meta, index) => {
    const own = index === 0 ? "light" : "dark";
    meta.media = theme === "system" ? `(prefers-color-scheme: ${own})` : theme === own ? "all" : "not all";
  });
};

/** Shows a theme and remembers it. */
export const chooseTheme = (theme: Theme): void => {
  showTheme(theme);
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // It holds for this page; the next one follows the system.
  }
};
