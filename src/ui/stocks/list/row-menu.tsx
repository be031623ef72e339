/** The menu of whichever row has opened it: one for the list, since one in each row would make rows slow to draw. */
import type { Stock } from "../../../contract/stock.ts";
import { closeMenu, MenuList } from "../../parts/menu-list.tsx";
import { DialogBoundary } from "../../shell/dialog-boundary.tsx";
import { useStore } from "../../state/use-store.ts";
import { RowMenuEntries } from "./lazy-list-extras.ts";
import type { RowActions } from "./row-actions.ts";
import { menuRow, ROW_MENU_ID } from "./row-menu-button.tsx";

/** Once in a list. */
export const RowMenu = ({ stocks, actions }: { readonly stocks: readonly Stock[]; readonly actions: RowActions }) => {
  const row = useStore(menuRow);
  const stock = row && stocks.find(({ id }) => id === row.id);
  return (
    <MenuList id={ROW_MENU_ID} opener={() => menuRow.get()?.button}>
      <DialogBoundary onClose={closeMenu}>{stock && <RowMenuEntries stock={stock} actions={actions} />}</DialogBoundary>
    </MenuList>
  );
};
