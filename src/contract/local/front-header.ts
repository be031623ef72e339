/**
 * How the Worker of `npm run dev` recognizes what comes through the dev command: wrangler's own port is open to the whole machine. Requests
 * carry the secret in a header. The cron cannot have a header, so the secret is its expression.
 */

/** The header that the listener sets, with a new value at each start. One sent by a client is dropped. */
export const FRONT_HEADER = "tally-front";

/** Whether `sent` is the secret of this start. Always true where the Worker has no secret: nothing is in front of it. */
export const isOfFront = (sent: string | undefined, secret: string | undefined): boolean =>
  !secret || isEqual(sent ?? "", secret);

/** Compares two texts of the same length in constant time. */
const isEqual = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
};
