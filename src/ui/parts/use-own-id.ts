/** Ids that tie a name or a description to its element. */
import { useState } from "preact/hooks";

let made = 0;

/**
 * An id that no other element of the page has. Preact's own `useId` counts from 0 again in a part that kept its vnodes while
 * those around it were rendered anew: a dialog over an answer then bore the name of a menu.
 */
export const useOwnId = (): string => useState(() => `id-${made++}`)[0];
