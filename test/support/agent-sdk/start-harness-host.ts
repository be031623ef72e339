/** Starts a harness host with the scripted SDK once for all files of a project. It serves one directory, in which nothing changes. */
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { findSdk } from "../../../src/harness-host/find-sdk.ts";
import { openHarness } from "./harness-client.ts";
import { installScriptedSdk } from "./install-scripted-sdk.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the harness host is, and its token. */
    harnessHost: { readonly url: string; readonly token: string; readonly dir: string };
  }
}

/** Vitest's globalSetup. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sdkDir = await mkdtemp(join(tmpdir(), "tally-sdk-"));
  installScriptedSdk(sdkDir);
  const sdk = findSdk([sdkDir]);
  if (sdk === undefined) throw new Error("The scripted SDK was not found.");
  const host = await openHarness({ sdk, credential: { type: "api_key", secret: "none" } });
  writeFileSync(join(host.dir, "notes.txt"), "one\n");
  project.provide("harnessHost", { url: host.url, token: host.token, dir: host.dir });
  return async () => {
    await host.close();
    await rm(sdkDir, { recursive: true, force: true });
  };
}
