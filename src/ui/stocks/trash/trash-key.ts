/** Where the trash is in the cache. Beside the list's key: refreshing one never reads the other again. */
export const TRASH_KEY = ["list-stocks", "trash"] as const;
