/** How the Worker of `npm run dev` knows that a request came through the dev command's own listener. */

/** The header that the listener sets; its value is made at each start. A client's own is dropped. */
export const FRONT_HEADER = "tally-front";
