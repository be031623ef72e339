/** `npm run dev`: the app on this machine, without an account or a key. Ends with 0 on Ctrl-C or TERM. */
import { parseDevOptions } from "./dev-options.ts";
import { runDev } from "./run-dev.ts";
import { runProgram } from "./run-program.ts";
import { StartRefusal } from "./start-refusal.ts";

/** The Node of the devDependency `node`, which npm scripts find first. */
const NODE_MAJOR = 24;

const main = async (stop: AbortSignal): Promise<void> => {
  if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR) {
    throw new StartRefusal(
      `Node ${process.versions.node} is too old. Start with \`npm run dev\`, which brings its own.`,
    );
  }
  await runDev(parseDevOptions(process.argv.slice(2), process.cwd()), stop);
};

await runProgram(main);
