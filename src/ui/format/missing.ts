/** What stands where a figure is unknown. Unknown is never shown as 0. */

/** An en dash. Give it a name for screen readers where it stands alone. */
export const MISSING = "–";
