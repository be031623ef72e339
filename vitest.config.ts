/** Three layers of tests, see test/README.md: pure rules in Node, the Worker inside workerd, the started dev command. */
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { CountReporter } from "./test/support/count-reporter.ts";

export default defineConfig({
  test: {
    reporters: ["default", new CountReporter()],
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          environment: "node",
          globalSetup: ["test/support/start-model-server.ts"],
        },
      },
      {
        plugins: [
          cloudflareTest(async ({ inject }) => ({
            main: "./test/support/workerd/test-worker.ts",
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations("migrations"),
                ANTHROPIC_API_KEY: "test-key",
                ANTHROPIC_BASE_URL: inject("modelUrl"),
              },
            },
          })),
        ],
        test: {
          name: "worker",
          include: ["test/worker/**/*.test.ts"],
          globalSetup: ["test/support/start-model-server.ts"],
          setupFiles: ["test/support/workerd/apply-migrations.ts"],
        },
      },
      { test: { name: "e2e", include: ["test/e2e/**/*.test.ts"], environment: "node", fileParallelism: false } },
    ],
  },
});
