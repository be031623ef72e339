/** A running Tally to look at: `npm run dev` on a directory of its own, with a model that tests script or the demo model. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDevServer } from "../dev-server.ts";
import { startMessagesApiServer } from "../messages-api-server.ts";
import { endWithUs } from "./end-with-us.ts";

/** What a test needs to know of it; plain data, so that it can be handed to test files. */
export type Site = {
  /** Without a slash at its end. */
  readonly url: string;
  /** Address of the scripted model server; undefined where the demo model answers. */
  readonly modelUrl: string | undefined;
  /** The agent's real directory, empty at first. */
  readonly workspaceDir: string;
};

/** Which model answers, and options of the dev command. */
export type SiteOptions = { readonly model?: "scripted" | "demo"; readonly args?: readonly string[] };

/** Starts one; takes some 6 s. `stop` ends all of it and removes what it stored; `output` is what the dev command printed. */
export const startSite = async (
  options: SiteOptions = {},
): Promise<Site & { stop(): Promise<void>; output(): string }> => {
  const dir = await mkdtemp(join(tmpdir(), "tally-screen-"));
  const workspaceDir = join(dir, "workspace");
  await mkdir(workspaceDir);
  const model = options.model === "demo" ? undefined : await startMessagesApiServer();
  const stopped = endWithUs(dir, join(dir, "state", "dev-processes"));
  const removeRest = async () => {
    await model?.close();
    await rm(dir, { recursive: true, force: true });
    stopped();
  };
  try {
    const server = await startDevServer({
      persistTo: join(dir, "state"),
      args: options.args ?? [],
      env: {
        AGENT_WORKSPACE_DIR: workspaceDir,
        ...(model === undefined ? {} : { ANTHROPIC_API_KEY: "test-key", ANTHROPIC_BASE_URL: model.url }),
      },
    });
    const stop = async () => {
      await server.stop();
      await removeRest();
    };
    return { url: server.url, modelUrl: model?.url, workspaceDir, stop, output: server.output };
  } catch (error) {
    await removeRest();
    throw error;
  }
};
