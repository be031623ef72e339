/**
 * Layers of tests, see test/README.md: pure rules in Node, the Worker inside workerd, the started dev command, and the
 * screens in a real browser.
 */
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { rgPath } from "@vscode/ripgrep";
import { defineConfig, type Plugin } from "vitest/config";
import { CountReporter } from "./test/support/count-reporter.ts";
import { keepFilesInMemory } from "./test/support/files-in-memory.ts";

/** Pictures of screens that failed outlive a run. */
const FAILED_SCREENS_DIR = join(tmpdir(), "tally-failed-screens");
keepFilesInMemory();

/**
 * Longest a test takes that says nothing else, on a machine that has far more to do: with two runs side by side on two cores, one of a
 * few seconds took more than a minute. Only one that hangs takes it.
 */
const TEST_TIMEOUT_MS = 180_000;

/**
 * The packages that the Worker and its tests import. Each is bundled into one module first, instead of being loaded as
 * hundreds, which halves the time it takes to make the Worker. One that is missing here works, and costs time.
 */
const WORKER_PACKAGES = [
  "@block65/webcrypto-web-push",
  "@anthropic-ai/sdk",
  "@cloudflare/shell",
  "@hono/zod-validator",
  "better-auth/adapters/drizzle",
  "better-auth/cookies",
  "better-auth/minimal",
  "better-auth/plugins/email-otp",
  "better-auth/plugins/organization",
  "big.js",
  "diff",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "eventsource-parser",
  "fast-check",
  "hono",
  "hono/cookie",
  "hono/factory",
  "hono/http-exception",
  "hono/route",
  "hono/utils/cookie",
  "hono/utils/encode",
  "re2js",
  "zod",
];

/** A pair of keys as `npm run push-keys` makes it, for nobody but the tests. */
const vapidKeys = {
  VAPID_PUBLIC_KEY: "BB-Ad-O_FKJv-8OlWDFjaK23CfzA41D8mvZhDfWfeNbjWV3Yhd6pm6pxVlMaxy5IviHGTdUtL_sqi-whQpbRi1I",
  VAPID_PRIVATE_KEY: "lubziXEjL8Zhs6RvA2N3mStZVK8yymr0CZBZZkHyIjM",
};

/**
 * Longest wait for something to become true that others do, on such a machine. A test that passes never takes it. Below the 25 s after
 * which a page replaces a silent stream and the 30 s after which a run is looked after: no test may pass because of either.
 */
const POLL = { timeout: 20_000 } as const;

/**
 * Files that mostly wait: for a start, a page, an animation. Two at once use half of two cores, four nearly all. After the others,
 * which compute. No test here depends on how long something takes.
 */
const WAITING = { maxWorkers: 4, sequence: { groupOrder: 1 } } as const;

/** The maps of bundled packages are twice as long as the packages, and each of the Worker's processes would read all of them. */
const withoutPackageMaps: Plugin = {
  name: "without-package-maps",
  enforce: "post",
  transform: (code, id) => (id.includes("/deps_ssr/") ? { code, map: { mappings: "" } } : undefined),
};

/** A module of the migrations' text, as wrangler makes it. */
const sqlAsText: Plugin = {
  name: "sql-as-text",
  enforce: "pre",
  transform: (code, id) =>
    id.endsWith(".sql") ? { code: `export default ${JSON.stringify(code)};`, map: { mappings: "" } } : undefined,
};

/**
 * For the Worker's processes of the project `worker`: a heap that begins large is collected less often, which is 6 % of their CPU. The
 * started dev command has V8's own (`test/support/dev-server.ts`).
 */
process.env.MINIFLARE_WORKERD_V8_FLAGS ??= "--min-semi-space-size=32 --max-semi-space-size=64 --initial-heap-size=1024";

export default defineConfig({
  test: {
    reporters: ["default", new CountReporter()],
    // The Worker writes a line for each request.
    silent: "passed-only",
    // Files at once, on two cores. Each is a process, and most of them have a second one behind; all wait now and then.
    maxWorkers: 3,
    projects: [
      {
        plugins: [sqlAsText],
        test: {
          name: "unit",
          // The workspace server asks ripgrep where there is one: here there always is.
          env: { PATH: [dirname(rgPath), process.env.PATH].join(delimiter) },
          include: ["test/unit/**/*.test.ts"],
          environment: "node",
          // A process of its own for each file takes as long as all of them: they share modules, and leave no state in them.
          isolate: false,
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: TEST_TIMEOUT_MS,
          expect: { poll: POLL },
          globalSetup: ["test/support/start-model-server.ts", "test/support/price-server/start-price-server.ts"],
          setupFiles: ["test/support/fuzz/fixed-seed.ts"],
        },
      },
      {
        plugins: [
          withoutPackageMaps,
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
                // Scripts have what a turn asks for; tests of titles switch them on.
                AGENT_TITLES: "off",
                // Thousands of people sign in within an hour, each by a mail.
                MAILS_PER_HOUR: "1000000",
                // Devices are on loopback, at the push service of the tests.
                LOOPBACK_PUSH: "true",
                APP_ORIGIN: "https://tally.test",
                VAPID_SUBJECT: "mailto:ops@example.com",
                ...vapidKeys,
                ANTHROPIC_BASE_URL: inject("modelUrl"),
                // A room that no test has set up: it knows no rate and no price.
                FX_BASE_URL: `${inject("priceUrl")}/nobody`,
                // The room whose name is the key: objects have these variables, whoever the test is.
                TWELVEDATA_BASE_URL: `${inject("priceUrl")}/by-key`,
                EODHD_BASE_URL: `${inject("priceUrl")}/by-key/api`,
              },
            },
          })),
        ],
        test: {
          name: "worker",
          deps: {
            optimizer: {
              ssr: {
                enabled: true,
                include: WORKER_PACKAGES,
                rolldownOptions: { external: [/^node:/, /^cloudflare:/] },
              },
            },
          },
          include: ["test/worker/**/*.test.ts"],
          // Making the Worker takes seconds, so the files share one: each test is somebody new.
          isolate: false,
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: TEST_TIMEOUT_MS,
          expect: { poll: POLL },
          globalSetup: [
            "test/support/start-model-server.ts",
            "test/support/start-push-server.ts",
            "test/support/price-server/start-price-server.ts",
            "test/support/agent-sdk/start-harness-host.ts",
          ],
          setupFiles: [
            "test/support/fuzz/fixed-seed.ts",
            "test/support/workerd/quiet-console.ts",
            "test/support/workerd/apply-migrations.ts",
          ],
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/*.test.ts"],
          environment: "node",
          isolate: false,
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: TEST_TIMEOUT_MS,
          expect: { poll: POLL },
          globalSetup: ["test/support/made-state.ts"],
          ...WAITING,
        },
      },
      {
        test: {
          name: "screen",
          env: { FAILED_SCREENS_DIR },
          include: ["test/e2e/screen/**/*.test.ts"],
          environment: "node",
          // Loading what drives the browser takes most of a second.
          isolate: false,
          expect: { poll: POLL },
          // One site for all files, and a browser for each process.
          ...WAITING,
          globalSetup: ["test/support/browser/start-screens.ts"],
          // A site of a file's own, and its browser, start within its first test; single steps end far earlier.
          testTimeout: 2 * TEST_TIMEOUT_MS,
          hookTimeout: 2 * TEST_TIMEOUT_MS,
        },
      },
    ],
  },
});
