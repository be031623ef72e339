/**
 * Layers of tests, see test/README.md: pure rules in Node, the Worker inside workerd, the started dev command, and the
 * screens in a real browser.
 */
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { CountReporter } from "./test/support/count-reporter.ts";

type FileChoice = { readonly include: string[]; readonly exclude?: string[]; readonly isolate?: boolean };

/** Tests that run inside workerd, with the product's bindings. */
const workerProject = (name: string, files: FileChoice) => ({
  plugins: [
    cloudflareTest(async ({ inject }) => ({
      main: "./test/support/workerd/test-worker.ts",
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        bindings: {
          TEST_MIGRATIONS: await readD1Migrations("migrations"),
          ANTHROPIC_API_KEY: "test-key",
          BETTER_AUTH_SECRET: "signs the cookies of people in tests",
          MAIL_FROM: "tally@example.com",
          // On loopback: the tests of the limits go in by another name.
          RATE_LIMITS_DISABLED: "true",
          ANTHROPIC_BASE_URL: inject("modelUrl"),
        },
      },
    })),
  ],
  test: {
    name,
    ...files,
    globalSetup: ["test/support/start-model-server.ts"],
    setupFiles: ["test/support/workerd/apply-migrations.ts"],
  },
});

export default defineConfig({
  test: {
    reporters: ["default", new CountReporter()],
    // The Worker writes a line for each request.
    silent: "passed-only",
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          environment: "node",
          globalSetup: ["test/support/start-model-server.ts"],
        },
      },
      // Making the Worker takes ten seconds a file, so the files share one: each test is somebody new.
      workerProject("worker", {
        include: ["test/worker/**/*.test.ts"],
        exclude: ["test/worker/auth/**"],
        isolate: false,
      }),
      // Sign-in counts what comes from an address, and all tests come from the same one.
      workerProject("auth", { include: ["test/worker/auth/**/*.test.ts"] }),
      { test: { name: "e2e", include: ["test/e2e/*.test.ts"], environment: "node", fileParallelism: false } },
      {
        test: {
          name: "screen",
          include: ["test/e2e/screen/**/*.test.ts"],
          environment: "node",
          // One site and one browser for all files: they take turns.
          fileParallelism: false,
          globalSetup: ["test/support/browser/start-screens.ts"],
          // A site of a file's own starts within its first test; single steps end far earlier.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
