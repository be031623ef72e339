/** How the Worker of `npm run dev` recognizes requests that came through the dev command's own listener. */

/** The header that the listener sets, with a new value at each start. One sent by a client is dropped. */
export const FRONT_HEADER = "tally-front";
