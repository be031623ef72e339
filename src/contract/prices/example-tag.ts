/** The tag that all stocks of the example list have. In a file of its own, because the app's first paint does without the list. */
export const EXAMPLE_TAG = "example list";
