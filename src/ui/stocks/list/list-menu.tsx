/** What else the list can do. */
import { IconDotsVertical, IconListCheck, IconTrash } from "@tabler/icons-preact";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { Menu } from "../../parts/menu.tsx";
import { ExportEntries } from "../export/export-entries.tsx";

type ListMenuProps = { readonly isSelecting: boolean; readonly onSelect: () => void };

/** Selecting, where cards have no boxes at first; the trash; taking the list away as a file. */
export const ListMenu = ({ isSelecting, onSelect }: ListMenuProps) => {
  const { go } = useStocksPlace();
  return (
    <Menu label="More for the list" icon={IconDotsVertical}>
      <button type="button" aria-pressed={isSelecting} onClick={onSelect}>
        <IconListCheck size={18} stroke={1.75} aria-hidden="true" />
        {isSelecting ? "Stop selecting" : "Select"}
      </button>
      <button type="button" onClick={() => go({ isTrash: true, dialog: undefined })}>
        <IconTrash size={18} stroke={1.75} aria-hidden="true" />
        Trash
      </button>
      <hr />
      <ExportEntries />
    </Menu>
  );
};
