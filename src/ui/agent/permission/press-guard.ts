/** Which presses of a card count: not those that were meant for something else. */

/**
 * How long a card has to have stood still before it takes a press, in ms. A card that had just come was shown to be answered
 * by the second half of a double click up to 350 ms later, and systems let people take 500 ms for one; the rest is for seeing
 * what one presses.
 */
export const SETTLE_MS = 700;

/** How often the same was pressed in a row (`event.detail`; 0 by key), and for how long the card has stood. */
type Press = { readonly detail: number; readonly stoodMs: number };

/** Whether a press is an answer. */
export const isAnswer = ({ detail, stoodMs }: Press): boolean => detail <= 1 && stoodMs >= SETTLE_MS;
