/** The steps of `npm run deploy`, in order: the account is changed only after everything that can be checked is right. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import * as z from "zod";
import { parseJson } from "../contract/parse-json.ts";
import { PROJECT_DIR } from "../process/project.ts";
import { StartRefusal } from "../process/run-program.ts";
import { AS_BUILT, buildWorker } from "./build/build-worker.ts";
import { configProblems, originProblems, registrationProblems, secretProblems } from "./deploy-problems.ts";
import { runWrangler } from "./dev/wrangler.ts";

/** Whether to try only the build: without an account, and whatever is missing. */
export type DeployOptions = { readonly dryRun: boolean };

/** What `wrangler secret list` prints for a Worker that was never deployed. */
const NO_WORKER_YET = /^.*Worker ".*" not found/m;

const Secrets = z.array(z.object({ name: z.string() }));

/** @throws {StartRefusal} naming everything that is missing, or the failed step after wrangler's own output. */
export const runDeploy = async ({ dryRun }: DeployOptions, signal: AbortSignal): Promise<void> => {
  if (!dryRun) {
    const config = unstable_readConfig({ config: join(PROJECT_DIR, "wrangler.toml") }, { hideWarnings: true });
    refuse(configProblems(config));
    const secrets = await listSecrets(signal);
    refuse(
      [secretProblems, registrationProblems, originProblems].flatMap((problemsOf) => problemsOf(secrets, config.vars)),
    );
  }
  await withBuild(async (config) => {
    await step("The build", tryArgs(config), { relay: true }, signal);
    if (!dryRun) await deploy(config, signal);
  });
};

const deploy = async (config: string, signal: AbortSignal): Promise<void> => {
  // The tables come before the code that needs them: the code that runs until then does not use what is added.
  const place = ["--config", config];
  await step("The migrations", ["d1", "migrations", "apply", "DB", "--remote", ...place], { relay: true }, signal);
  await step("The deploy", ["deploy", ...AS_BUILT, ...place], { relay: true }, signal);
};

/** Bundles everything as a deploy does, and tries to deploy it. Returns wrangler's output. */
export const tryDeploy = (output: Relay, signal: AbortSignal): Promise<string> =>
  withBuild((config) => step("The build", tryArgs(config), output, signal));

const tryArgs = (config: string): string[] => ["deploy", "--dry-run", ...AS_BUILT, "--config", config];

/** Bundles the Worker into a directory that is gone afterwards. `use` gets the path of wrangler's configuration. */
const withBuild = async <Result>(use: (config: string) => Promise<Result>): Promise<Result> => {
  const dir = await mkdtemp(join(tmpdir(), "tally-deploy-"));
  try {
    return await use(await buildWorker(dir));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};

/**
 * Names of the secrets that are set. A Worker that does not exist yet has none; setting the first one creates it.
 *
 * @throws {StartRefusal} when `signal` aborts, or the account cannot be asked.
 */
export const listSecrets = async (signal: AbortSignal): Promise<string[]> => {
  const args = ["secret", "list", "--format", "json"];
  const { exitCode, output, stdout } = await runWrangler(args, { relay: false, signal });
  if (signal.aborted) throw new StartRefusal("The deploy was interrupted.");
  if (exitCode === 0) return Secrets.parse(parseJson(stdout)).map(({ name }) => name);
  if (NO_WORKER_YET.test(output)) return [];
  throw new StartRefusal(
    `${output}The account's secrets cannot be listed. Sign in with \`npx wrangler login\`, or set CLOUDFLARE_API_TOKEN.`,
  );
};

const refuse = (problems: readonly string[]): void => {
  if (problems.length > 0) throw new StartRefusal(problems.join("\n"));
};

type Relay = { readonly relay: boolean };

const step = async (name: string, args: readonly string[], { relay }: Relay, signal: AbortSignal): Promise<string> => {
  const { exitCode, output } = await runWrangler(args, { relay, signal });
  if (signal.aborted) throw new StartRefusal(`${name} was interrupted.`);
  if (exitCode !== 0)
    throw new StartRefusal(relay ? `${name} failed; wrangler's output is above.` : `${output}${name} failed.`);
  return output;
};
