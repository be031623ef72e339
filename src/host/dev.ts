/** `npm run dev`: the app on this machine, without an account or a key. Ends with 0 on Ctrl-C or TERM. */
import { parseDevOptions } from "./dev-options.ts";
import { runDev } from "./run-dev.ts";
import { StartRefusal } from "./start-refusal.ts";

/** The Node of the devDependency `node`, which npm scripts find first. */
const NODE_MAJOR = 24;

const stop = new AbortController();
// A terminal sends Ctrl-C to npm and to us, and npm passes its own on: the second one must change nothing.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stop.abort());

const main = async (): Promise<void> => {
  if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR) {
    throw new StartRefusal(
      `Node ${process.versions.node} is too old. Start with \`npm run dev\`, which brings its own.`,
    );
  }
  await runDev(parseDevOptions(process.argv.slice(2), process.cwd()), stop.signal);
};

try {
  await main();
  process.exit(0);
} catch (error) {
  if (!(error instanceof StartRefusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(error.exitCode);
}
