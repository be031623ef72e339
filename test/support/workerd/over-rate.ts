/** Uses up what an owner may ask for in a minute, at the limiter itself: through the front door it would take seconds. */
import { env } from "cloudflare:test";

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

/**
 * Runs the steps of a test within one minute of the clock: each minute, all limiters count from 0 again. Steps during which a minute
 * ended prove nothing, so they run again; they have to begin with somebody new.
 */
export const inOneMinute =
  <Args extends unknown[]>(steps: (...args: Args) => Promise<void>) =>
  async (...args: Args): Promise<void> => {
    for (;;) {
      // Only a new minute lets this one ask again.
      const nobody = crypto.randomUUID();
      await useUp(env.TURN_RATE, nobody);
      const failure = await steps(...args).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      const hasMinuteEnded = (await env.TURN_RATE.limit({ key: nobody })).success;
      if (hasMinuteEnded) continue;
      if (failure !== undefined) throw failure.error;
      return;
    }
  };

/** Counts until the limiter refuses. */
export const useUp = async (limiter: RateLimit, key: string): Promise<void> => {
  for (;;) {
    const counts = await Promise.all(Array.from({ length: AT_ONCE }, () => limiter.limit({ key })));
    if (counts.some(({ success }) => !success)) return;
  }
};
