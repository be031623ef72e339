/** What the page of parts is made of. */
import type { ComponentType } from "preact";

/**
 * A part of the app in each of its states, by their names. `isAlone`: a screen has it once, in its whole width, so it has a page of its
 * own.
 */
export type Part = {
  readonly name: string;
  readonly isAlone?: boolean;
  readonly states: Readonly<Record<string, ComponentType>>;
};
