/** The colour theme a person chose; kept in this browser. */

/** `system` follows the operating system. */
export type Theme = "light" | "dark" | "system";

export const THEMES: readonly Theme[] = ["system", "light", "dark"];

const STORAGE_KEY = "tally.theme";

/**
 * The chosen theme; `system` when none was chosen.
 *
 * @throws {Error} when the browser blocks the storage.
 */
export const readTheme = (): Theme => {
  const stored = localStorage.getItem(STORAGE_KEY);
  return THEMES.find((theme) => theme === stored) ?? "system";
};

/** Applies a theme to this page and to the browser's own bars. */
export const showTheme = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // `index.html` has two: light, then dark.
  document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]").forEach((meta, index) => {
    const own = index === 0 ? "light" : "dark";
    meta.media = theme === "system" ? `(prefers-color-scheme: ${own})` : theme === own ? "all" : "not all";
  });
};

/** Applies a theme and remembers it. */
export const chooseTheme = (theme: Theme): void => {
  showTheme(theme);
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // The theme lasts for this page; the next one follows the system.
  }
};
