/** `npm run operator`: what today cost, which runs hang, and whether the cron works. `-- --remote` asks the deployed database. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Answers, operatorQueries } from "./operator-queries.ts";
import { operatorReport } from "./operator-report.ts";
import { runProgram } from "./run-program.ts";
import { runWrangler } from "./run-wrangler.ts";
import { StartRefusal } from "./start-refusal.ts";

const FLAGS = {
  remote: { type: "boolean", default: false },
  "persist-to": { type: "string", default: ".wrangler/state" },
} as const;

const readOptions = () => {
  try {
    return parseArgs({ options: FLAGS }).values;
  } catch {
    throw new StartRefusal("Options: --remote, --persist-to DIR.", 2);
  }
};

await runProgram(async (signal) => {
  const options = readOptions();
  const nowMs = Date.now();
  const where = options.remote ? ["--remote"] : ["--local", "--persist-to", resolve(options["persist-to"])];
  const args = ["d1", "execute", "DB", "--json", ...where, "--command", operatorQueries(nowMs)];
  const { exitCode, output } = await runWrangler(args, { relay: false, signal });
  if (exitCode !== 0) throw new StartRefusal(`${output}The database could not be asked; wrangler's words are above.`);
  process.stdout.write(await operatorReport(Answers.parse(JSON.parse(output.slice(output.indexOf("[")))), nowMs));
});
