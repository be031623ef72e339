/** Uses up what an owner may ask for in a minute, at the limiter itself: through the front door it would take seconds. */

/** Counts under way at once. */
const AT_ONCE = 30;

/**
 * The first answer of `ask` that is a rate limit's. Asked again when a minute has just ended and the count has begun anew.
 */
export const overRate = async (limiter: RateLimit, owner: string, ask: () => Promise<Response>): Promise<Response> => {
  for (;;) {
    await useUp(limiter, owner);
    const answer = await ask();
    if (answer.headers.get("Retry-After") === "60") return answer;
    await answer.text();
  }
};

const useUp = async (limiter: RateLimit, key: string): Promise<void> => {
  for (;;) {
    const counts = await Promise.all(Array.from({ length: AT_ONCE }, () => limiter.limit({ key })));
    if (counts.some(({ success }) => !success)) return;
  }
};
