/** The paths of the shell: resolved, and refused when too long, or inside what is to be copied or moved there. */
import { isPathTooLong } from "../resolve-path.ts";

export const refuseLong = (path: string): void => {
  if (isPathTooLong(path)) throw new Error(`ENAMETOOLONG: name too long, '${path}'`);
};

export const refuseIntoItself = (from: string, to: string): void => {
  if (to === from || to.startsWith(`${from}/`)) throw new Error(`EINVAL: '${to}' is inside '${from}'`);
};

/** `path` from the directory `base`, absolute and without dots. */
export const absolutePath = (base: string, path: string): string => {
  const names: string[] = [];
  for (const name of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
};
