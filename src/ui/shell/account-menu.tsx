/** Who is signed in, and how the app looks for them. */
import {
  type Icon,
  IconCheck,
  IconDeviceDesktop,
  IconKeyboard,
  IconMoon,
  IconSun,
  IconUserCircle,
} from "@tabler/icons-preact";
import { useState } from "preact/hooks";
import { useStocksPlace } from "../navigation/use-stocks-place.ts";
import { Menu } from "../parts/menu.tsx";
import { chooseTheme, readTheme, THEMES, type Theme } from "./theme.ts";
import { useSession } from "./use-session.ts";

const THEME_FACES: Readonly<Record<Theme, readonly [Icon, string]>> = {
  system: [IconDeviceDesktop, "System theme"],
  light: [IconSun, "Light theme"],
  dark: [IconMoon, "Dark theme"],
};

/** The account menu; `isTab` makes its button a tab of the bottom bar. */
export const AccountMenu = ({ isTab = false }: { readonly isTab?: boolean }) => {
  const { data: session } = useSession();
  const { go } = useStocksPlace();
  const [chosen, setChosen] = useState(readTheme);
  const choose = (theme: Theme): void => {
    chooseTheme(theme);
    setChosen(theme);
  };
  return (
    <Menu
      label={session ? `Account of ${session.email}` : "Account"}
      icon={IconUserCircle}
      class={isTab ? "place" : "account-button"}
      face={<span>{isTab ? "Account" : (session?.email ?? " ")}</span>}
    >
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
      <button type="button" onClick={() => go({ dialog: "help" })}>
        <IconKeyboard size={18} stroke={1.75} aria-hidden="true" />
        Keyboard shortcuts
      </button>
    </Menu>
  );
};
