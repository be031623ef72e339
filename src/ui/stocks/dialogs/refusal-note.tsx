/** Says above the form why it was not saved. */
import { symbolText } from "../../../contract/symbol-shape.ts";
import { readAction } from "../../actions/call-action.ts";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { showToast } from "../../parts/toasts.tsx";
import { errorText } from "../stock-failures.ts";
import { useStockList } from "../use-stock-list.ts";
import type { FormRefusal } from "./form-refusal.ts";
import type { FormValues } from "./form-values.ts";

type RefusalNoteProps = {
  readonly refusal: FormRefusal | undefined;
  readonly values: FormValues;
  /** Takes a deleted stock back with what the form says. */
  readonly onRestore?: () => void;
};

/** Nothing while there is nothing to say beyond the fields' own problems. */
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

/** Opens the stock that has the symbol already. What was typed here is kept. */
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
