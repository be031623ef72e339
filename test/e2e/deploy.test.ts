/** `npm run deploy` from outside, as far as it goes without an account. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sizeProblems } from "../../src/cli/build/worker-build.ts";
import { listSecrets } from "../../src/cli/run-deploy.ts";

/** Bundling takes 3 s on a free machine. */
const TIMEOUT_MS = 180_000;

/** Without anybody's account: none may be asked, let alone changed. */
const env = { ...process.env, CLOUDFLARE_API_TOKEN: "", CLOUDFLARE_API_KEY: "", XDG_CONFIG_HOME: "/nonexistent" };

const deploy = (...args: string[]) =>
  new Promise<{ exitCode: number; output: string }>((resolve) => {
    const command = ["run", "--silent", "deploy", "--", ...args];
    execFile("npm", command, { cwd: join(import.meta.dirname, "../.."), env }, (error, stdout, stderr) =>
      resolve({ exitCode: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });

describe("a deploy", { timeout: TIMEOUT_MS }, () => {
  it("builds with all bindings, and stays within the size of a Worker, when it is only tried", async () => {
    const { exitCode, output } = await deploy("--dry-run");
    expect(output).toMatch(/--dry-run: exiting now/);
    expect(exitCode).toBe(0);
    expect([...output.matchAll(/^env\.(\w+)/gm)].map(([, name]) => name)).toEqual(
      expect.arrayContaining(["RUNS", "SESSIONS", "WORKSPACES", "DB", "TURN_RATE", "ACTION_RATE", "ASSETS"]),
    );
    expect(output).not.toMatch(/AUTH_DISABLED|DEMO_MODEL|RATE_LIMITS_DISABLED/);
    expect(sizeProblems(output)).toEqual([]);
  });

  it("is refused with the command that is still to be run", async () => {
    const { exitCode, output } = await deploy();
    // Whoever has put the id of a database into wrangler.toml gets to the question for the account.
    expect(output).toMatch(/DB has no database\. Run `npx wrangler d1|Sign in with `npx wrangler login`/);
    expect(exitCode).toBe(1);
  });

  it("that is interrupted while it asks for the account's secrets says so", async () => {
    const interrupt = new AbortController();
    const listing = listSecrets(interrupt.signal);
    interrupt.abort();
    await expect(listing).rejects.toThrow(/^The deploy was interrupted\.$/);
  });

  it("is refused with an option that it does not know", async () => {
    expect(await deploy("--force")).toEqual({ exitCode: 2, output: "The only option is --dry-run.\n" });
  });
});
