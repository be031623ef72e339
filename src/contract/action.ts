/** Every action's input and output by name: what clients, hooks and the registry agree on (CONTRACT §5). */
import type { z } from "zod";
import { AddStockInput, AddStockOutput } from "./add-stock.ts";
import { DeleteStockInput, DeleteStockOutput } from "./delete-stock.ts";
import { GetStockInput, GetStockOutput } from "./get-stock.ts";
import { ListStocksInput, ListStocksOutput } from "./list-stocks.ts";
import { SetNavigationInput, SetNavigationOutput } from "./set-navigation.ts";
import { UpdateStockInput, UpdateStockOutput } from "./update-stock.ts";
import { ViewScreenInput, ViewScreenOutput } from "./view-screen.ts";

/** Reads answer GET and POST, writes POST alone. */
export const ACTION_CONTRACTS = {
  "list-stocks": { kind: "read", input: ListStocksInput, output: ListStocksOutput },
  "get-stock": { kind: "read", input: GetStockInput, output: GetStockOutput },
  "add-stock": { kind: "write", input: AddStockInput, output: AddStockOutput },
  "update-stock": { kind: "write", input: UpdateStockInput, output: UpdateStockOutput },
  "delete-stock": { kind: "write", input: DeleteStockInput, output: DeleteStockOutput },
  "view-screen": { kind: "read", input: ViewScreenInput, output: ViewScreenOutput },
  "set-navigation": { kind: "write", input: SetNavigationInput, output: SetNavigationOutput },
} as const;

export type ActionName = keyof typeof ACTION_CONTRACTS;

/** What a client sends. */
export type ActionInput<Name extends ActionName> = z.input<(typeof ACTION_CONTRACTS)[Name]["input"]>;

/** What it gets. */
export type ActionOutput<Name extends ActionName> = z.output<(typeof ACTION_CONTRACTS)[Name]["output"]>;

/** An action that changes nothing: what `useActionQuery` takes. */
export type ReadName = {
  [Name in ActionName]: (typeof ACTION_CONTRACTS)[Name]["kind"] extends "read" ? Name : never;
}[ActionName];

/** An action that changes something: what `useActionMutation` takes. */
export type WriteName = Exclude<ActionName, ReadName>;
