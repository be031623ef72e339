/** The screen's name, and what can be begun here. */
import { IconFileImport, IconPlus } from "@tabler/icons-preact";
import { formatDecimal } from "../../format/format-decimal.ts";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { ScreenTitle } from "../../shell/screen-title.tsx";
import { LOCALE } from "./locale.ts";

/** `count` is of all stocks; undefined while it is not known. On a phone the buttons show their icons alone. */
export const ListHeader = ({ count }: { readonly count: number | undefined }) => {
  const { go } = useStocksPlace();
  return (
    <div class="list-header">
      <ScreenTitle title="Stocks">
        {count !== undefined && <span>{formatDecimal(String(count), LOCALE)}</span>}
      </ScreenTitle>
      <Button icon={IconFileImport} class="roomy" aria-label="Import" onClick={() => go({ dialog: "import" })}>
        <span>Import</span>
      </Button>
      <Button tone="primary" icon={IconPlus} class="roomy" aria-label="Add stock" onClick={() => go({ dialog: "add" })}>
        <span>Add stock</span>
      </Button>
    </div>
  );
};
