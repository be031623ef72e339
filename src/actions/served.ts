/**
 * The actions that HTTP serves, by name. Their code loads with the first call of any of them (decision 0195); what their routes have to
 * know at the start is here, and the compiler holds it to the contract.
 */
import type { ACTION_CONTRACTS, ActionName } from "../contract/action.ts";
import { lateModule } from "../contract/loading/late-module.ts";
import type { Action } from "./define-action.ts";

/** What a route is made from. */
export type Served = Pick<Action, "kind" | "isPostOnly">;

type Contracts = typeof ACTION_CONTRACTS;

/** What routes are made from, by the action's name. */
export const SERVED = {
  "list-stocks": { kind: "read" },
  "get-stock": { kind: "read" },
  "find-symbol": { kind: "read", isPostOnly: true },
  "refresh-quotes": { kind: "read", isPostOnly: true },
  "value-history": { kind: "read" },
  "add-stock": { kind: "write" },
  "update-stock": { kind: "write" },
  "delete-stock": { kind: "write" },
  "view-screen": { kind: "read" },
  "list-schedules": { kind: "read" },
  "create-schedule": { kind: "write" },
  "delete-schedule": { kind: "write" },
  "set-navigation": { kind: "write" },
} as const satisfies {
  readonly [Name in ActionName]: Served & Omit<Contracts[Name], "input" | "output">;
};

const loadRegistry = lateModule(() => import("./registry.ts"));

/** The action of that name. */
export const loadAction = async (name: string): Promise<Action> => {
  const { ACTIONS } = await loadRegistry();
  const action = ACTIONS.find((one) => one.name === name);
  if (action === undefined) throw new Error(`There is no action named "${name}".`);
  return action;
};
