/** The steps of `npm run deploy`, in order: nothing of the account is changed before all that can be known is right. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import * as z from "zod";
import { configProblems, registrationProblems, secretProblems } from "./deploy-problems.ts";
import { PROJECT_DIR } from "./project.ts";
import { runWrangler } from "./run-wrangler.ts";
import { StartRefusal } from "./start-refusal.ts";
import { DEPLOY_BUILD } from "./worker-build.ts";

/** Whether only the build is tried: without an account, and whatever is missing. */
export type DeployOptions = { readonly dryRun: boolean };

/** What `wrangler secret list` says of a Worker that was never deployed. */
const NO_WORKER_YET = /^.*Worker ".*" not found/m;

const Secrets = z.array(z.object({ name: z.string() }));

/** @throws {StartRefusal} naming all that is missing, or the step that failed behind wrangler's own words. */
export const runDeploy = async ({ dryRun }: DeployOptions, signal: AbortSignal): Promise<void> => {
  if (!dryRun) {
    const config = unstable_readConfig({ config: join(PROJECT_DIR, "wrangler.toml") }, { hideWarnings: true });
    refuse(configProblems(config));
    const secrets = await listSecrets(signal);
    refuse([...secretProblems(secrets, Object.keys(config.vars)), ...registrationProblems(secrets, config.vars)]);
  }
  await tryDeploy({ relay: true }, signal);
  if (dryRun) return;
  // First the tables, then the code that needs them: what runs until then knows nothing of what is added.
  await step("The migrations", ["d1", "migrations", "apply", "DB", "--remote"], { relay: true }, signal);
  await step("The deploy", ["deploy", ...DEPLOY_BUILD], { relay: true }, signal);
};

/** Bundles all of it as a deploy does, into a directory that nobody reads. Gives what wrangler prints. */
export const tryDeploy = async (output: Relay, signal: AbortSignal): Promise<string> => {
  const outDir = await mkdtemp(join(tmpdir(), "tally-deploy-"));
  try {
    return await step("The build", ["deploy", "--dry-run", ...DEPLOY_BUILD, "--outdir", outDir], output, signal);
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
};

/** Names of the secrets that are set. A Worker that does not exist yet has none; setting the first one makes it. */
const listSecrets = async (signal: AbortSignal): Promise<string[]> => {
  const { exitCode, output } = await runWrangler(["secret", "list", "--format", "json"], { relay: false, signal });
  if (exitCode === 0) return Secrets.parse(JSON.parse(output)).map(({ name }) => name);
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
    throw new StartRefusal(relay ? `${name} failed; wrangler's words are above.` : `${output}${name} failed.`);
  return output;
};
