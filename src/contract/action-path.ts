/** The paths of actions (api.md §5). Without zod, so that the browser can import it. */

/** Path of an action by its name. */
export const actionPath = (name: string): string => `/_framework/actions/${name}`;
