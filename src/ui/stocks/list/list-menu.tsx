/** The menu of the list as a whole. */
import { IconDotsVertical } from "@tabler/icons-preact";
import { Menu } from "../../parts/menu.tsx";
import { closeMenu } from "../../parts/menu-list.tsx";
import { DialogBoundary } from "../../shell/dialog-boundary.tsx";
import { ListMenuEntries } from "./lazy-list-extras.ts";

type ListMenuProps = { readonly isSelecting: boolean; readonly onSelect: () => void };

/** What it holds loads ahead, or when it is opened. */
export const ListMenu = (props: ListMenuProps) => (
  <Menu label="More for the list" icon={IconDotsVertical}>
    <DialogBoundary onClose={closeMenu}>
      <ListMenuEntries {...props} />
    </DialogBoundary>
  </Menu>
);
