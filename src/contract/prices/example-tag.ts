/** The tag that all stocks of the example list have. Apart from the list, which the app's first paint does without. */
export const EXAMPLE_TAG = "example list";
