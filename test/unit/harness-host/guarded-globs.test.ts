/** What the SDK's own Glob and Grep are told to leave out, since no path names what they find. */
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { isGuardedPath } from "../../../src/workspace/guarded-path.ts";
import { globMatcher } from "../../../src/workspace/ignore-rules.ts";
import { type HarnessUnderTest, openHarnessWith } from "../../support/agent-sdk/harness-client.ts";

/** Says what it may not read. */
const SDK = `export async function* query({ options }) {
  yield { type: "result", deny: options.settings.permissions.deny };
}`;

const Said = z.object({ deny: z.array(z.string().regex(/^Read\(.*\)$/)) });

let host: HarnessUnderTest;
beforeAll(async () => {
  host = await openHarnessWith(SDK);
});
afterAll(() => host.close());

const NAMES = [
  ...[".env", ".env.local", "prod.env", ".dev.vars", "terraform.tfstate", "prod.tfvars", "server.pem", "deploy.key"],
  ...[".npmrc", ".aws/credentials", ".docker/config.json", ".git/config", "id_ed25519", "credentials.json"],
  ...["client_secret_1.json", "serviceAccountKey.json", "gcp-service-account.json", "firebaseServiceAccount.json"],
  ...["shop-firebase-adminsdk-abc12-0123456789.json", "firebase-admin-sdk.json", "AuthKey_ABC123DEFG.p8"],
  ...["rootkey.csv", "accessKeys.csv", "ann_accessKeys.csv", "credentials.csv", "new_user_credentials.csv"],
  ...["kubeconfig", "kubeconfig.yaml", "prod-kubeconfig.yml", "prod.kubeconfig", "kubeconfig.json"],
  ...["token.json", "token.pickle", "google-credentials.json", "gcp_credentials.json", "auth.json", ".claude.json"],
  ...["secrets.json", "secrets.yml", "secrets.yaml", ".streamlit/secrets.toml", "local.settings.json"],
  ...[
    ".databrickscfg",
    ".s3cfg",
    ".secrets",
    ".secrets.toml",
    ".boto",
    "rclone.conf",
    ".config/hub",
    ".m2/settings.xml",
  ],
  ...[".envrc", ".env~", ".env.e", ".env.exam", ".env.sample", ".env.example.local", ".env.examples", ".env.bak"],
  ...["#.env.local#", "..env.local.swp", ".env copy", ".env copy.local", ".env - Copy", ".env (1)", ".env@prod"],
  ...["credentials (1).json", "credentials(1).json", "token copy.json", "token - Copy (2).json", "auth 2.json"],
  ...[".npmrc copy", ".netrc - Copy", "kubeconfig (1).yaml", "secrets (Copy).yaml", "rootkey (1).csv", "id_rsa (1)"],
  ...[".aws copy/credentials", ".docker.bak/config.json", ".git copy/config", ".gem/credentials (1)"],
  ...[".env..local", ".env.e copy", ".env-prod", ".env,old", ".env.exämple", ".envé"],
];

const UNGUARDED = [
  ".env.example",
  "secrets.ts",
  ".secrets.baseline",
  "tokens.json",
  "auth.ts",
  "settings.json",
  "mycredentials.json",
  "credentials copy.ts",
];

/** Which of these names the SDK is told to leave out, in a directory. */
const leftOutOf = async (names: readonly string[]): Promise<string[]> => {
  const turn = {
    turnId: crypto.randomUUID(),
    sessionId: crypto.randomUUID(),
    begin: { type: "new", prompt: "Hi" },
    tools: [],
  };
  const lines = await host.turn(turn, () => ({ type: "allow" }));
  const said = lines.flatMap((line) => (line.type === "message" ? [line.message] : [])).at(-1);
  const rules = Said.parse(said).deny.map((rule) => globMatcher(rule.slice("Read(".length, -1), "."));
  return names.map((name) => `deep/${name}`).filter((path) => rules.some((finds) => finds(path)));
};

it("are the guarded files, wherever they are", async () => {
  const leftOut = await leftOutOf([...NAMES, ...UNGUARDED]);
  expect(leftOut).toEqual(NAMES.map((name) => `deep/${name}`).filter((path) => isGuardedPath(path)));
  expect(leftOut).toHaveLength(NAMES.length);
});
