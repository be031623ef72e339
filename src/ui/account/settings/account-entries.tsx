import {
  type Icon,
  IconCalendarRepeat,
  IconCheck,
  IconCommand,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
} from "@tabler/icons-preact";
import { useState } from "preact/hooks";
import { chooseTheme, readTheme, THEMES, type Theme } from "../../state/theme.ts";
import { useSession } from "../person.ts";
import { signOut } from "../sign-out.ts";
import { accountOpen } from "./account-open.ts";

const THEME_FACES: Readonly<Record<Theme, readonly [Icon, string]>> = {
  system: [IconDeviceDesktop, "System theme"],
  light: [IconSun, "Light theme"],
  dark: [IconMoon, "Dark theme"],
};

type AccountEntriesProps = { readonly onHelp: () => void; readonly onPalette: () => void };

/** The entries of the account menu. */
export const AccountEntries = ({ onHelp, onPalette }: AccountEntriesProps) => {
  const { data: session } = useSession();
  const [chosen, setChosen] = useState(readTheme);
  const choose = (theme: Theme): void => {
    chooseTheme(theme);
    setChosen(theme);
  };
  return (
    <>
      {session && (
        <p class="who">
          {session.authDisabled && <span>Signed in for development</span>}
          {session.email}
        </p>
      )}
      <button type="button" onClick={() => accountOpen.set("account")}>
        <IconSettings size={18} stroke={1.75} aria-hidden="true" />
        Account
      </button>
      <button type="button" onClick={() => accountOpen.set("schedules")}>
        <IconCalendarRepeat size={18} stroke={1.75} aria-hidden="true" />
        Schedules
      </button>
      <button type="button" onClick={onHelp}>
        <IconKeyboard size={18} stroke={1.75} aria-hidden="true" />
        Keyboard shortcuts
      </button>
      <button type="button" aria-keyshortcuts="Control+K Meta+K" onClick={onPalette}>
        <IconCommand size={18} stroke={1.75} aria-hidden="true" />
        Quick search…
      </button>
      <hr />
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
      {session?.authDisabled === false && (
        <>
          <hr />
          <button type="button" onClick={() => void signOut()}>
            <IconLogout size={18} stroke={1.75} aria-hidden="true" />
            Sign out
          </button>
        </>
      )}
    </>
  );
};
