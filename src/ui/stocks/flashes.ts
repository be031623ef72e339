/** Which rows the agent has just changed: they light up for a moment, so that the eye finds them. */
import { createStore } from "../state/store.ts";

/** How long a row stays lit. */
const FLASH_MS = 2_000;

/** Ids of the stocks that are lit now. */
export const flashes = createStore<ReadonlySet<string>>(new Set());

/** Lights up rows. One that changes twice stays lit until the later one's time is over. */
export const flash = (ids: readonly string[]): void => {
  for (const id of ids) started.set(id, (started.get(id) ?? 0) + 1);
  flashes.set(new Set(started.keys()));
  setTimeout(() => {
    for (const id of ids) end(id);
    flashes.set(new Set(started.keys()));
  }, FLASH_MS);
};

/** Flashes under way, by stock. */
const started = new Map<string, number>();

const end = (id: string): void => {
  const left = (started.get(id) ?? 0) - 1;
  if (left > 0) started.set(id, left);
  else started.delete(id);
};
