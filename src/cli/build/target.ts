/** Browsers that support `light-dark()`, nesting and container queries. */
export const TARGET: readonly string[] = ["chrome123", "firefox120", "safari17.5"];
