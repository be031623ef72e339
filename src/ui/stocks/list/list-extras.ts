/** What the list does not need at first, as one file to fetch: small parts, each of which would be a request. */
export { BulkBar } from "./bulk-bar.tsx";
export { FirstRun } from "./first-run.tsx";
export { ListMenuEntries } from "./list-menu-entries.tsx";
export { NoMatch } from "./no-match.tsx";
export { RowMenuEntries } from "./row-menu-entries.tsx";
