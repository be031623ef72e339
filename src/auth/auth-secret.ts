/** The secret that log-in cookies are signed with. */
import type { Env } from "../env.ts";

/** Shortest secret, in bytes of UTF-8: as long as the SHA-256 it keys. */
const MIN_BYTES = 32;

/** The secret, or undefined when it is missing or too short to count: then nobody can be signed in. */
export const findAuthSecret = ({ BETTER_AUTH_SECRET }: Pick<Env, "BETTER_AUTH_SECRET">): string | undefined =>
  BETTER_AUTH_SECRET !== undefined && new TextEncoder().encode(BETTER_AUTH_SECRET).byteLength >= MIN_BYTES
    ? BETTER_AUTH_SECRET
    : undefined;

/** Says in the log what the operator has to do. */
export const logMissingSecret = (): void =>
  console.error(
    JSON.stringify({
      level: "error",
      message: `BETTER_AUTH_SECRET is missing or shorter than ${MIN_BYTES} bytes: nobody can sign in. Set it with \`npx wrangler secret put BETTER_AUTH_SECRET\`.`,
    }),
  );
