import { useState } from "preact/hooks";

let made = 0;

/**
 * An id that no other element of the page has. Preact's own `useId` restarts from 0 in a part that kept its vnodes while
 * its surroundings were rendered again: a dialog would get the name of a menu that way.
 */
export const useOwnId = (): string => useState(() => `id-${made++}`)[0];
