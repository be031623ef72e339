/** Waits for a running call, also while the run is being stopped: an effect under way is awaited, not disowned. */
import { errorText } from "../contract/error-text.ts";
import type { PreparedCall, ToolResult } from "./tools/tool.ts";

/** How long a stopped run waits for an effect that is already under way (RUN.md, Aborting). */
const EFFECT_GRACE_MS = 5_000;

/**
 * The call's result. After `signal` aborts: `aborted` at once for a read, which has no effect; for the rest the true
 * result if it comes within 5 s, else `unknown`. A call that throws has hit a bug: a read has failed, of the rest nobody
 * knows.
 */
export const awaitEffect = async (
  running: ReturnType<PreparedCall["run"]>,
  isRead: boolean,
  signal: AbortSignal,
): Promise<ToolResult | "no_effect" | "aborted" | "unknown"> => {
  const settled = running.catch((error: unknown): ToolResult | "unknown" => {
    console.error(JSON.stringify({ level: "error", message: "A tool broke.", error: errorText(error) }));
    return isRead ? { output: "The tool broke. Try another way.", isError: true } : "unknown";
  });
  const stopped = Promise.withResolvers<"aborted" | "unknown">();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const onAbort = () => {
    if (isRead) stopped.resolve("aborted");
    else timer = setTimeout(() => stopped.resolve("unknown"), EFFECT_GRACE_MS);
  };
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([settled, stopped.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
};
