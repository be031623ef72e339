/** Takes all stocks along as a file. */
import { IconDownload } from "@tabler/icons-preact";
import { formatCount } from "../../format/format-count.ts";
import { announce } from "../../parts/announcer.tsx";
import { showToast } from "../../parts/toasts.tsx";
import { useStockList } from "../use-stock-list.ts";

/** Entries of a menu. All live stocks, whatever the list is filtered by. */
export const ExportEntries = () => {
  const { list } = useStockList();
  const save = async (kind: "csv" | "json"): Promise<void> => {
    if (!list?.isComplete) {
      showToast({ text: "Your stocks are still loading. Export again in a moment." });
      return;
    }
    try {
      const { saveExport } = await import("./save-export.ts");
      saveExport(list.items, kind, new Date());
      announce(`${formatCount(list.items.length, "stock", "stocks", "en")} exported`);
    } catch {
      // The only thing that can fail is the way to the code.
      showToast({ text: "The export could not be loaded. Check the connection and try again.", tone: "bad" });
    }
  };
  return (
    <>
      <button type="button" onClick={() => void save("csv")}>
        <IconDownload size={18} stroke={1.75} aria-hidden="true" />
        Export as CSV
      </button>
      <button type="button" onClick={() => void save("json")}>
        <IconDownload size={18} stroke={1.75} aria-hidden="true" />
        Export as JSON
      </button>
    </>
  );
};
