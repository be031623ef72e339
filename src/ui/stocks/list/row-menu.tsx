/** All that can be done with one stock. */
import { IconDotsVertical, IconEye, IconPencil, IconSparkles, IconStar, IconTrash } from "@tabler/icons-preact";
import { Menu } from "../../parts/menu.tsx";
import type { RowProps } from "./row-actions.ts";

/** The menu at the end of a row. */
export const RowMenu = ({ stock, isCurrent, actions }: Pick<RowProps, "stock" | "isCurrent" | "actions">) => (
  <Menu label={`More for ${stock.symbol}`} icon={IconDotsVertical} tabIndex={isCurrent ? 0 : -1}>
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
  </Menu>
);
