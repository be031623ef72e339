/** Somebody works on the source while `npm run dev` runs: what is saved is served, without another start. */
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { PROJECT_DIR } from "../../src/process/project.ts";
import { startDevServer } from "../support/dev-server.ts";

/** A start, and two builds of the app and the Worker, beside other tests, in ms. */
const TIMEOUT_MS = 180_000;

/** How long a build may take beside other tests, in ms. */
const BUILD = { timeout: 60_000 } as const;

/** What the dev command needs of a checkout, besides its packages. */
const PARTS = ["docs/openapi.json", "migrations", "package.json", "public", "src", "tsconfig.json", "wrangler.toml"];

const makeDir = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), "tally-edited-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  return dir;
};

/** A checkout like this one, which a test may edit. */
const copyCheckout = async (): Promise<string> => {
  const dir = await makeDir();
  for (const part of PARTS) await cp(join(PROJECT_DIR, part), join(dir, part), { recursive: true });
  await symlink(join(PROJECT_DIR, "node_modules"), join(dir, "node_modules"));
  return dir;
};

/** The app's first script that a page names, and whether it is there. */
const firstScript = async (url: string): Promise<{ path: string; status: number }> => {
  const page = await (await fetch(url)).text();
  const path = /<script type="module" src="([^"]+)"/.exec(page)?.[1] ?? "";
  return { path, status: (await fetch(`${url}${path}`)).status };
};

it("an edit of the Worker is served, and so is one of the app, with all its files", {
  timeout: TIMEOUT_MS,
}, async () => {
  const projectDir = await copyCheckout();
  const [persistTo, workspace] = [await makeDir(), await makeDir()];
  const edit = async (path: string, from: string, to: string): Promise<void> => {
    const file = join(projectDir, path);
    const source = await readFile(file, "utf8");
    expect(source).toContain(from);
    await writeFile(file, source.replace(from, to));
  };
  const server = await startDevServer({ projectDir, persistTo, env: { AGENT_WORKSPACE_DIR: workspace } });
  onTestFinished(() => server.killGroup());
  const health = async (): Promise<unknown> => (await fetch(`${server.url}/_framework/health`)).json();
  const before = await firstScript(server.url);
  expect(before.status).toBe(200);

  await edit("src/http/routes/health-route.ts", "ok: true", "ok: true, isEdited: true");
  await expect.poll(health, BUILD).toMatchObject({ isEdited: true });

  await edit("src/ui/app/app.tsx", "if (root) render(", 'if (root) root.dataset.edited = "";\nif (root) render(');
  // The page is read from disk each time, a moment before its files are known.
  await expect
    .poll(() => firstScript(server.url), BUILD)
    .toEqual({ path: expect.not.stringMatching(before.path), status: 200 });
});
