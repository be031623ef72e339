/** A wrangler command from its start to its end. */
import { endProcessGroup } from "./process-group.ts";
import { startWrangler } from "./wrangler.ts";

/** What a command came to. */
export type WranglerEnd = { readonly exitCode: number | null; readonly output: string };

/**
 * Runs `wrangler <args>` and keeps what it prints, both streams together. With `relay`, that is also printed as it comes.
 * Ends it early when `signal` aborts.
 */
export const runWrangler = async (
  args: readonly string[],
  { relay, signal }: { readonly relay: boolean; readonly signal: AbortSignal },
): Promise<WranglerEnd> => {
  const wrangler = startWrangler(args);
  const end = () => void endProcessGroup(wrangler.groupId);
  signal.addEventListener("abort", end, { once: true });
  let output = "";
  const read = async (stream: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of stream) {
      output += chunk.toString();
      if (relay) process.stdout.write(chunk);
    }
  };
  const [exitCode] = await Promise.all([wrangler.ended, read(wrangler.stdout), read(wrangler.stderr)]);
  signal.removeEventListener("abort", end);
  return { exitCode, output };
};
