/** Writes to one stock go to the server one after the other: side by side they could arrive in the wrong order. */

/** The last write under way of each stock. */
const tails = new Map<string, Promise<unknown>>();

/** Does `work` after all earlier writes to any of `ids` have ended, however they ended. Settles as `work` does. */
export const inTurn = <Answer>(ids: readonly string[], work: () => Promise<Answer>): Promise<Answer> => {
  const mine = Promise.allSettled(ids.map((id) => tails.get(id))).then(work);
  for (const id of ids) tails.set(id, mine);
  const leave = (): void => {
    for (const id of ids) if (tails.get(id) === mine) tails.delete(id);
  };
  mine.then(leave, leave);
  return mine;
};
