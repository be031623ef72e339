/** What of the shell's environment reaches the Worker through wrangler: it types the variables that it would hand over. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { writeEnvFile } from "../../src/cli/dev/secret-files.ts";
import { startWrangler } from "../../src/cli/dev/wrangler.ts";

it.each([
  ["CLOUDFLARE_INCLUDE_PROCESS_ENV", "true"],
  ["CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV", "false"],
])("the Worker gets the variables of our file and no others, also with %s=%s in the shell", async (name, value) => {
  const dir = await mkdtemp(join(tmpdir(), "tally-variables-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  const [envFile, types] = [join(dir, "dev.env"), join(dir, "types.d.ts")];
  writeEnvFile(envFile, { OF_THE_FILE: "1" });
  const args = ["types", types, "--env-file", envFile, "--include-runtime=false"];
  const wrangler = startWrangler(args, { env: { [name]: value, OF_THE_SHELL: "1" } });
  wrangler.stdout.resume();
  wrangler.stderr.resume();
  expect(await wrangler.ended).toBe(0);
  const text = await readFile(types, "utf8");
  expect([text.includes("OF_THE_FILE: string"), text.includes("OF_THE_SHELL")]).toEqual([true, false]);
});
