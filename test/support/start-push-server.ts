/** Starts the push service once for all test files of a project and tells them its address. */
import type { TestProject } from "vitest/node";
import { startPushServer } from "./push-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    pushUrl: string;
  }
}

/** Vitest's globalSetup. `inject("pushUrl")` gives tests the base URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPushServer();
  project.provide("pushUrl", server.url);
  return server.close;
}
