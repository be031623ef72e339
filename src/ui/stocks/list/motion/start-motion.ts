import { selection } from "../../../state/selection.ts";
import { moveRows } from "./move-rows.ts";
import { moveBetweenListAndStock } from "./open-close.ts";
import { tick } from "./tick.ts";

/** Starts all that moves in the list. Call it once: it follows stores and the address, and no component. */
export const startMotion = (): void => {
  moveBetweenListAndStock();
  moveRows();
  selection.subscribe(tick);
};
