/** Says above the form why it could not be saved. */
import { symbolText } from "../../../contract/stocks/symbol-shape.ts";
import { readAction } from "../../api/read-action.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { showToast } from "../../parts/toasts.tsx";
import { errorText } from "../store/stock-failures.ts";
import { useStockList } from "../store/use-stock-list.ts";
import type { FormRefusal } from "./form-refusal.ts";
import type { FormValues } from "./form-values.ts";

type RefusalNoteProps = {
  readonly refusal: FormRefusal | undefined;
  readonly values: FormValues;
  /** Restores a deleted stock with the values in the form. */
  readonly onRestore?: () => void;
};

/** Shows nothing when the fields' own problems say everything. */
export const RefusalNote = ({ refusal, values, onRestore }: RefusalNoteProps) => {
  if (refusal?.note === undefined) return null;
  return (
    <div class="form-note bad" role="alert">
      <p>{refusal.note}</p>
      {refusal.kind === "listed" && <OpenListed symbol={symbolText(values.symbol)} exchange={values.exchange} />}
      {refusal.kind === "gone" && onRestore && (
        <Button isSmall onClick={onRestore}>
          Restore and save
        </Button>
      )}
    </div>
  );
};

/** Opens the stock that already has the symbol. The input here is kept. */
const OpenListed = ({ symbol, exchange }: { readonly symbol: string; readonly exchange: string }) => {
  const { go } = useStocksPlace();
  const { list } = useStockList();
  const market = exchange.trim().toUpperCase() || null;
  const open = async (): Promise<void> => {
    const listed = list?.items.find((stock) => stock.symbol === symbol && stock.exchange === market);
    try {
      const stock =
        listed ?? (await readAction("get-stock", { symbol, ...(market ? { exchange: market } : {}) })).stock;
      go({ dialog: "detail", stockId: stock.id, draft: undefined }, { replace: true });
    } catch (error) {
      showToast({ text: errorText(error), tone: "bad" });
    }
  };
  return (
    <Button isSmall onClick={() => void open()}>
      Open {symbol}
    </Button>
  );
};
