/** Empties an object that the owner's next account would use as well, because its name is made from their e-mail. */
import { type AccountDeletion, isDeletionOpen } from "../db/deletion/open-deletion.ts";

/**
 * Runs `purge`, unless the deletion that it is for is over. No other call gets in between: what the next account writes can only come
 * after the deletion's end, so it either finds the object purged already, or this finds the deletion over.
 */
export const purgeFor = async (
  ctx: DurableObjectState,
  d1: D1Database,
  deletion: AccountDeletion,
  purge: () => void | Promise<void>,
): Promise<void> => {
  const failure = await ctx.blockConcurrencyWhile(async () => {
    try {
      if (await isDeletionOpen(d1, deletion)) await purge();
    } catch (error) {
      // Throwing it in here would restart the object.
      return { error };
    }
  });
  if (failure !== undefined) throw failure.error;
};
