/** Ends a dev server when this process dies without having stopped it: by a signal, a crash, a `kill -9`. */
import { spawn } from "node:child_process";

/**
 * Its input is a pipe of ours: a line means that all went well, the pipe's end that we are gone. A server that was still
 * starting then goes on for a while, and writes its record (`src/cli/dev/leftovers.ts`) before wrangler can be left over.
 */
const WATCH = `
read -r stopped && exit
tries=0
until [ -f "$2" ] || [ "$tries" -ge 20 ]; do sleep 1; tries=$((tries + 1)); done
read -r dev group < "$2" && { kill -KILL "$dev"; kill -KILL "-$group"; }
rm -rf "$1"`;

/** Watches from a process of its own, which no signal to our group reaches; call the result once all has been stopped. */
export const endWithUs = (dir: string, recordPath: string): (() => void) => {
  const args = ["-c", WATCH, "sh", dir, recordPath];
  const watcher = spawn("sh", args, { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  watcher.unref();
  return () => void watcher.stdin.end("stopped\n");
};
