/** Refuses paths of the shell that are too long, or inside what is to be copied or moved there. */
import { isPathTooLong } from "../resolve-path.ts";

export const refuseLong = (path: string): void => {
  if (isPathTooLong(path)) throw new Error(`ENAMETOOLONG: name too long, '${path}'`);
};

export const refuseIntoItself = (from: string, to: string): void => {
  if (to === from || to.startsWith(`${from}/`)) throw new Error(`EINVAL: '${to}' is inside '${from}'`);
};
