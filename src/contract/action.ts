/** Every action's input and output by name, shared by clients, hooks and the registry (api.md §5). */
import type { z } from "zod";
import { FindSymbolInput, FindSymbolOutput, RefreshQuotesInput, RefreshQuotesOutput } from "./prices/find-symbol.ts";
import { ValueHistoryInput, ValueHistoryOutput } from "./prices/value-history.ts";
import {
  CreateScheduleInput,
  CreateScheduleOutput,
  DeleteScheduleInput,
  DeleteScheduleOutput,
  ListSchedulesInput,
  ListSchedulesOutput,
} from "./schedules/schedule.ts";
import { SetNavigationInput, SetNavigationOutput } from "./screen/navigation.ts";
import { ViewScreenInput, ViewScreenOutput } from "./screen/view-screen.ts";
import { AddStockInput, AddStockOutput } from "./stocks/add-stock.ts";
import { DeleteStockInput, DeleteStockOutput } from "./stocks/delete-stock.ts";
import { GetStockInput, GetStockOutput } from "./stocks/get-stock.ts";
import { ListStocksInput, ListStocksOutput } from "./stocks/list-stocks.ts";
import { UpdateStockInput, UpdateStockOutput } from "./stocks/update-stock.ts";

/** Writes answer POST only, and so does a read that `isPostOnly`; other reads answer GET as well. */
export const ACTION_CONTRACTS = {
  "list-stocks": { kind: "read", input: ListStocksInput, output: ListStocksOutput },
  "get-stock": { kind: "read", input: GetStockInput, output: GetStockOutput },
  "find-symbol": { kind: "read", isPostOnly: true, input: FindSymbolInput, output: FindSymbolOutput },
  "refresh-quotes": { kind: "read", isPostOnly: true, input: RefreshQuotesInput, output: RefreshQuotesOutput },
  "value-history": { kind: "read", input: ValueHistoryInput, output: ValueHistoryOutput },
  "add-stock": { kind: "write", input: AddStockInput, output: AddStockOutput },
  "update-stock": { kind: "write", input: UpdateStockInput, output: UpdateStockOutput },
  "delete-stock": { kind: "write", input: DeleteStockInput, output: DeleteStockOutput },
  "view-screen": { kind: "read", input: ViewScreenInput, output: ViewScreenOutput },
  "list-schedules": { kind: "read", input: ListSchedulesInput, output: ListSchedulesOutput },
  "create-schedule": { kind: "write", input: CreateScheduleInput, output: CreateScheduleOutput },
  "delete-schedule": { kind: "write", input: DeleteScheduleInput, output: DeleteScheduleOutput },
  "set-navigation": { kind: "write", input: SetNavigationInput, output: SetNavigationOutput },
} as const;

export type ActionName = keyof typeof ACTION_CONTRACTS;

/** What a client sends. */
export type ActionInput<Name extends ActionName> = z.input<(typeof ACTION_CONTRACTS)[Name]["input"]>;

/** What it receives. */
export type ActionOutput<Name extends ActionName> = z.output<(typeof ACTION_CONTRACTS)[Name]["output"]>;

/** An action that changes nothing: what `useActionQuery` takes. */
export type ReadName = {
  [Name in ActionName]: (typeof ACTION_CONTRACTS)[Name]["kind"] extends "read" ? Name : never;
}[ActionName];

/** An action that changes something: what `actionMutation` takes. */
export type WriteName = Exclude<ActionName, ReadName>;
