/** Under `npm run dev`, only what came through the dev command's own listener is answered: wrangler's port is open as well. */
import { createMiddleware } from "hono/factory";
import { AppError } from "../contract/app-error.ts";
import { FRONT_HEADER } from "../contract/front-header.ts";
import type { AppEnv } from "./app-env.ts";

const REFUSED = "This port is wrangler's own. Use the address that npm run dev has printed.";

/** Refuses a request without the secret of this start with 403. Without effect where no listener stands before the Worker. */
export const requireFront = createMiddleware<AppEnv>(async (c, next) => {
  const { FRONT_SECRET } = c.env;
  if (FRONT_SECRET && !isEqual(c.req.header(FRONT_HEADER) ?? "", FRONT_SECRET)) throw new AppError(403, REFUSED);
  await next();
});

/** In the same time wherever two texts of one length differ. */
const isEqual = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
};
