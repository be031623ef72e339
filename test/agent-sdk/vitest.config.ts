/** `npm run test:agent-sdk`: the harness host with the real SDK and its binary, against a scripted provider. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/agent-sdk/*.test.ts"], environment: "node", testTimeout: 120_000, maxWorkers: 1 },
});
