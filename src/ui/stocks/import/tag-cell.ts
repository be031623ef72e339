/** Tags in one cell. */

/** `a; b`, with `\` before a `;` or `\` that belongs to a tag. */
export const joinTags = (tags: readonly string[]): string =>
  tags.map((tag) => tag.replace(/[\\;]/g, "\\$&")).join("; ");

/** What `joinTags` joined. */
export const splitTags = (cell: string): string[] =>
  [...cell.matchAll(/((?:\\.|[^;\\])+|\\$)/gs)]
    .map(([part]) => part.replace(/\\([\\;])/g, "$1").trim())
    .filter((tag) => tag !== "");

/** Tags of other programs: between `;`, or where there is none between `,` or `|`; a `#` before a tag is left out. */
export const splitForeignTags = (cell: string): string[] =>
  (cell.includes(";") ? cell.split(";") : cell.split(/[,|]/))
    .map((tag) => tag.trim().replace(/^#/, ""))
    .filter((tag) => tag !== "");
