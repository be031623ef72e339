/** All actions, and the ones the agent has as tools (api.md §5 and §6). */
import { addStock } from "./add-stock.ts";
import type { Action } from "./define-action.ts";
import { deleteStock } from "./delete-stock.ts";
import { getStock } from "./get-stock.ts";
import { listStocks } from "./list-stocks.ts";
import { findSymbol, refreshQuotes } from "./prices/find-symbol.ts";
import { valueHistory } from "./prices/value-history.ts";
import { createSchedule, deleteSchedule, listSchedules } from "./schedules.ts";
import { updateStock } from "./update-stock.ts";
import { setNavigation, viewScreen } from "./view-screen.ts";

/** Actions that are tools of the agent, under the same names. Only the screen writes the navigation state and draws values over time. */
export const AGENT_ACTIONS: readonly Action[] = [
  ...[listStocks, getStock, addStock, updateStock, deleteStock, viewScreen],
  ...[listSchedules, createSchedule, deleteSchedule],
  ...[findSymbol, refreshQuotes],
];

/** Actions that HTTP serves. */
export const ACTIONS: readonly Action[] = [...AGENT_ACTIONS, setNavigation, valueHistory];
