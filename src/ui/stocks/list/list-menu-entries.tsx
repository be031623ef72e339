/** What else the list can do. */
import { IconCheck, IconTrash } from "@tabler/icons-preact";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { ExportEntries } from "../export/export-entries.tsx";

type ListMenuEntriesProps = { readonly isSelecting: boolean; readonly onSelect: () => void };

/** Selecting, where cards have no boxes at first; the trash; taking the list away as a file. */
export const ListMenuEntries = ({ isSelecting, onSelect }: ListMenuEntriesProps) => {
  const { go } = useStocksPlace();
  return (
    <>
      <button type="button" aria-pressed={isSelecting} onClick={onSelect}>
        <IconCheck size={18} stroke={1.75} aria-hidden="true" />
        {isSelecting ? "Stop selecting" : "Select"}
      </button>
      <button type="button" onClick={() => go({ isTrash: true, dialog: undefined })}>
        <IconTrash size={18} stroke={1.75} aria-hidden="true" />
        Trash
      </button>
      <hr />
      <ExportEntries />
    </>
  );
};
