/** `npm run deploy`: Tally on the Cloudflare account that wrangler is signed in to. `-- --dry-run` only builds. */
import { parseArgs } from "node:util";
import { runDeploy } from "./run-deploy.ts";
import { StartRefusal } from "./start-refusal.ts";

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stop.abort());

const readOptions = () => {
  try {
    return parseArgs({ options: { "dry-run": { type: "boolean", default: false } } }).values;
  } catch {
    throw new StartRefusal("The only option is --dry-run.", 2);
  }
};

try {
  await runDeploy({ dryRun: readOptions()["dry-run"] }, stop.signal);
  process.exit(0);
} catch (error) {
  if (!(error instanceof StartRefusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(error.exitCode);
}
