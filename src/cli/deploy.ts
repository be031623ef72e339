/** `npm run deploy`: Tally on the Cloudflare account that wrangler is signed in to. `-- --dry-run` only builds. */
import { parseArgs } from "node:util";
import { runProgram, StartRefusal } from "../process/run-program.ts";
import { runDeploy } from "./run-deploy.ts";

const readOptions = () => {
  try {
    return parseArgs({ options: { "dry-run": { type: "boolean", default: false } } }).values;
  } catch {
    throw new StartRefusal("The only option is --dry-run.", 2);
  }
};

await runProgram((stop) => runDeploy({ dryRun: readOptions()["dry-run"] }, stop));
