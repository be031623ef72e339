/**
 * Purges what these ids name, all at once, and then calls `forget` with the ids that could be purged: one that fails holds up no other.
 * @throws the first failure, after that.
 */
export const purgeBatch = async (
  ids: readonly string[],
  purge: (id: string) => Promise<unknown>,
  forget: (ids: readonly string[]) => Promise<unknown>,
): Promise<void> => {
  const purged = await Promise.allSettled(ids.map(purge));
  await forget(ids.filter((_, nth) => purged[nth]?.status === "fulfilled"));
  for (const result of purged) if (result.status === "rejected") throw result.reason;
};
