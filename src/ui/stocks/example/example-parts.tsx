/** The example list on the screen: the button that adds it to an empty list, and the bar that takes it away again. */
import { useState } from "preact/hooks";
import { ATTRIBUTIONS } from "../../../contract/prices/attributions.ts";
import { EXAMPLE_TAG } from "../../../contract/prices/example-tag.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { formatCount, LOCALE } from "../../format/format-number.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { showToast } from "../../parts/toasts.tsx";
import { errorText } from "../store/stock-failures.ts";
import { useStockStore } from "../store/stock-store.ts";
import { useStockActions } from "../store/use-stock-actions.ts";
import { addExampleList, isUntouched } from "./example-stocks.ts";

/** For somebody who wants to see the app with something in it. */
export const TryExample = () => {
  const store = useStockStore();
  const [isAdding, setAdding] = useState(false);
  const add = async (): Promise<void> => {
    if (isAdding) return;
    setAdding(true);
    try {
      const leftOut = await addExampleList(store);
      announce("The example list is added.");
      if (leftOut.length > 0) showToast({ text: `Left out: ${leftOut.join(", ")}. Yours are in the trash.` });
    } catch (error) {
      showToast({ text: `The example list was not added. ${errorText(error)}`, tone: "bad" });
    } finally {
      // The button may still be there: everything may be in the list, and hidden by what is pressed next.
      setAdding(false);
    }
  };
  return (
    <Button aria-disabled={isAdding} onClick={() => void add()}>
      {isAdding ? "Adding…" : "Try an example list"}
    </Button>
  );
};

/** Says that stocks are examples, and takes those away that nobody has changed. Nothing when there are none. */
export const ExampleBar = ({ stocks }: { readonly stocks: readonly Stock[] }) => {
  const { remove } = useStockActions();
  const examples = stocks.filter(({ tags }) => tags.includes(EXAMPLE_TAG));
  const untouched = examples.filter(isUntouched);
  const kept = examples.length - untouched.length;
  if (untouched.length === 0) return null;
  const isDemo = untouched.some(({ instrument }) => instrument?.source === "demo");
  return (
    <section class="example-bar" aria-label="Example list">
      <p>
        {formatCount(untouched.length, "example", "examples", LOCALE)}
        {isDemo && ` · ${ATTRIBUTIONS.demo.text}`}
        {kept > 0 && ` · ${formatCount(kept, "that you changed stays", "that you changed stay", LOCALE)}`}
      </p>
      <button type="button" class="link" onClick={() => remove(untouched)}>
        Remove<span class="vh"> the example list</span>
      </button>
    </section>
  );
};
