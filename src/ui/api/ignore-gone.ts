import { isGone } from "./api-error.ts";

/** For a deletion: what is gone already, from here without an answer or from another device, counts as deleted. */
export const ignoreGone = (error: unknown): void => {
  if (!isGone(error)) throw error;
};
