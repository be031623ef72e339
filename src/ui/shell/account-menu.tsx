/** Who is signed in, and the way to all that is about them. */
import { IconUserCircle } from "@tabler/icons-preact";
import { lazy } from "../parts/lazy.ts";
import { Menu } from "../parts/menu.tsx";
import { closeMenu } from "../parts/menu-list.tsx";
import { DialogBoundary } from "./dialog-boundary.tsx";
import { isHelpOpen } from "./keys-help.tsx";
import { useSession } from "./use-session.ts";

const AccountEntries = lazy(async () => (await import("../account/account-entries.tsx")).AccountEntries);

/** The account menu; `isTab` makes its button a tab of the bottom bar. */
export const AccountMenu = ({ isTab = false }: { readonly isTab?: boolean }) => {
  const { data: session } = useSession();
  return (
    <Menu
      label={session ? `Account of ${session.email}` : "Account"}
      icon={IconUserCircle}
      class={isTab ? "place" : "account-button"}
      face={<span>{isTab ? "Account" : (session?.email ?? " ")}</span>}
    >
      <DialogBoundary onClose={closeMenu}>
        <AccountEntries onHelp={() => isHelpOpen.set(true)} />
      </DialogBoundary>
    </Menu>
  );
};
