/** Starts the model server once for all test files of a project and tells them its address. */
import type { TestProject } from "vitest/node";
import { startMessagesApiServer } from "./messages-api-server.ts";
import "./scripted-model.ts";

/** Vitest's globalSetup. `inject("modelUrl")` gives tests the base URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startMessagesApiServer();
  project.provide("modelUrl", server.url);
  return server.close;
}
