/** Where actions are served (spec §4.4). Without zod, so that the app can name it. */

/** Path of an action by its name. */
export const actionPath = (name: string): string => `/_framework/actions/${name}`;
