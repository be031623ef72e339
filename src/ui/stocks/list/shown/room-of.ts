/** What a list of some width has room for. */

/** Room is in characters. */
export type ListRoom = {
  /** Whether the list is a table. Otherwise it shows cards. */
  readonly isTable: boolean;
  /** Whether it is a table that has room for all columns, targets too. */
  readonly isWide: boolean;
  readonly isCompact: boolean;
  /** For an amount in a row. */
  readonly amount: number;
  /** For a line about a holding. */
  readonly holding: number;
  /** For the value above the list, and for each figure beside it. */
  readonly value: number;
  readonly figure: number;
  /** Height of a row, in px: fixed, so that a gap can take the place of rows that are not rendered. */
  readonly rowPx: number;
};

/** The size of text that the widths below are for, in px. */
export const USUAL_TEXT = 16;

/** Below this width, in px of usual text, the list shows cards. */
export const TABLE_WIDTH = 640;

/** Below this width the table lacks targets (a watchlist lacks other columns), and has less room for amounts. */
const WIDE = 860;

/** Characters of an amount in a table, and in a wide one. A holding's type is smaller, so `SMALLER` more fit. */
const TABLE_AMOUNT = 10;

const WIDE_AMOUNT = 13;

const SMALLER = 2;

/** Characters of each figure above a table that is not wide: two of them fit beside the longest value. */
const TABLE_FIGURE = 13;

/** Heights of rows, in px of usual text. */
const HEIGHTS = { card: { roomy: 68, compact: 54 }, row: { roomy: 64, compact: 48 } } as const;

/** In px of usual text: the widest character of a card's amount, and a character of its smallest type in words and numbers. */
const AMOUNT_CHAR = 9.5;

const SMALL_CHAR = 6.5;

/** Characters of a card's amount: at least, and at most. */
const CARD_AMOUNT = [7, 12] as const;

/** The gaps beside a card's holding and amount, in px. */
const CARD_REST = 26;

/** Characters of the longest usual age after a holding, such as `· 59 min ago`: no price is shown without its age. */
const AGE = 13;

/** The least room of a holding's line, in characters: a shortened quantity. */
const LEAST_HOLDING = 6;

/** A character of the value above the list, in px: bold digits at 28 px. Beside it are two buttons. */
const VALUE_CHAR = 18;

const VALUE_REST = 100;

const LEAST_VALUE = 6;

const MOST_VALUE = 20;

/** What the list has room for. `width` in px, `text` the root's size of text. */
export const roomOf = (width: number, text: number, isCompact: boolean): ListRoom => {
  const wide = (width * USUAL_TEXT) / text;
  const isTable = wide >= TABLE_WIDTH;
  const rowPx = Math.round((HEIGHTS[isTable ? "row" : "card"][isCompact ? "compact" : "roomy"] * text) / USUAL_TEXT);
  if (isTable) {
    const amount = wide < WIDE ? TABLE_AMOUNT : WIDE_AMOUNT;
    const isWide = wide >= WIDE;
    return {
      isTable,
      isWide,
      isCompact,
      amount,
      holding: amount + SMALLER,
      value: MOST_VALUE,
      figure: isWide ? MOST_VALUE : TABLE_FIGURE,
      rowPx,
    };
  }
  const [least, most] = CARD_AMOUNT;
  const amount = clamp((wide * 0.4) / AMOUNT_CHAR, least, most);
  return {
    ...{ isTable, isWide: false, isCompact, amount, rowPx },
    holding: clamp((wide - CARD_REST - amount * AMOUNT_CHAR) / SMALL_CHAR - AGE, LEAST_HOLDING, MOST_VALUE),
    value: clamp((wide - VALUE_REST) / VALUE_CHAR, LEAST_VALUE, MOST_VALUE),
    figure: clamp(wide / VALUE_CHAR, LEAST_VALUE, MOST_VALUE),
  };
};

const clamp = (count: number, least: number, most: number): number =>
  Math.floor(Math.min(Math.max(count, least), most));
