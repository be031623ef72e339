/** Starts the price server once for all test files of a project and tells them its address. */
import type { TestProject } from "vitest/node";
import { startPriceServer } from "./price-server.ts";
import "./price-room.ts";

/** Vitest's globalSetup. `inject("priceUrl")` gives tests the base URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPriceServer();
  project.provide("priceUrl", server.url);
  return server.close;
}
