/** All actions, and the ones the agent has as tools (CONTRACT §5 and §6). */
import { addStock } from "./add-stock.ts";
import type { Action } from "./define-action.ts";
import { deleteStock } from "./delete-stock.ts";
import { getStock } from "./get-stock.ts";
import { listStocks } from "./list-stocks.ts";
import { setNavigation } from "./set-navigation.ts";
import { updateStock } from "./update-stock.ts";
import { viewScreen } from "./view-screen.ts";

/** Actions that are tools of the agent under their own names. It never writes the navigation state: that is the screen's. */
export const AGENT_ACTIONS: readonly Action[] = [listStocks, getStock, addStock, updateStock, deleteStock, viewScreen];

/** Actions that HTTP serves. */
export const ACTIONS: readonly Action[] = [...AGENT_ACTIONS, setNavigation];
