/** All that can be done with one stock. */
import { IconEye, IconPencil, IconSparkles, IconStar, IconTrash } from "@tabler/icons-preact";
import type { RowProps } from "./row-actions.ts";

/** The entries of a row's menu. */
export const RowMenuEntries = ({ stock, actions }: Pick<RowProps, "stock" | "actions">) => (
  <>
    <button type="button" onClick={() => actions.open(stock)}>
      <IconEye size={18} stroke={1.75} aria-hidden="true" />
      Open
    </button>
    <button type="button" onClick={() => actions.edit(stock)}>
      <IconPencil size={18} stroke={1.75} aria-hidden="true" />
      Edit
    </button>
    <button type="button" onClick={() => actions.toggleWatched(stock)}>
      <IconStar size={18} stroke={1.75} aria-hidden="true" />
      {stock.watched ? "Remove from watchlist" : "Watch"}
    </button>
    <button type="button" onClick={() => actions.askAbout(stock)}>
      <IconSparkles size={18} stroke={1.75} aria-hidden="true" />
      Ask the agent
    </button>
    <hr />
    <button type="button" class="danger" onClick={() => actions.remove(stock)}>
      <IconTrash size={18} stroke={1.75} aria-hidden="true" />
      Delete
    </button>
  </>
);
