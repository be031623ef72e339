/** The entries of the account's menu: how the app looks, and its keys. */
import { type Icon, IconCheck, IconDeviceDesktop, IconKeyboard, IconMoon, IconSun } from "@tabler/icons-preact";
import { useState } from "preact/hooks";
import { chooseTheme, readTheme, THEMES, type Theme } from "./theme.ts";

const THEME_FACES: Readonly<Record<Theme, readonly [Icon, string]>> = {
  system: [IconDeviceDesktop, "System theme"],
  light: [IconSun, "Light theme"],
  dark: [IconMoon, "Dark theme"],
};

/** For a `Menu`. */
export const AccountEntries = ({ onHelp }: { readonly onHelp: () => void }) => {
  const [chosen, setChosen] = useState(readTheme);
  const choose = (theme: Theme): void => {
    chooseTheme(theme);
    setChosen(theme);
  };
  return (
    <>
      {THEMES.map((theme) => {
        const [ThemeIcon, label] = THEME_FACES[theme];
        return (
          <button key={theme} type="button" aria-pressed={theme === chosen} onClick={() => choose(theme)}>
            <ThemeIcon size={18} stroke={1.75} aria-hidden="true" />
            {label}
            {theme === chosen && <IconCheck class="end" size={16} stroke={2} aria-hidden="true" />}
          </button>
        );
      })}
      <hr />
      <button type="button" onClick={onHelp}>
        <IconKeyboard size={18} stroke={1.75} aria-hidden="true" />
        Keyboard shortcuts
      </button>
    </>
  );
};
