/** Which files are never shown. */
import { describe, expect, it } from "vitest";
import { copyGlobs, isGuardedPath, refuseGuardedPath } from "../../../src/workspace/guarded-path.ts";

describe("isGuardedPath", () => {
  it.each([
    ".env",
    ".env.production",
    ".envrc",
    "app/.env.local",
    ".env/inside",
    ".dev.vars",
    ".dev.vars.example",
    ".wrangler",
    ".wrangler/state/x.sqlite",
    "packages/a/.wrangler/tmp",
    ".git/config",
    "sub/.git/config",
    ".git/modules/lib/config",
    "server.pem",
    "certs/server.key.pem",
    "id_rsa",
    ".ssh/id_ed25519",
    ".ßh/id_ed25519",
    "id_ecdsa_sk",
    ...[".npmrc", "packages/a/.npmrc", ".netrc", "_netrc", ".git-credentials", "home/.git-credentials"],
    ...[".aws", ".aws/credentials", ".ssh/config", ".ssh/known_hosts", ".gnupg/pubring.kbx", "home/.kube/config"],
    ...[".docker/config.json", "home/.docker/config.json", "deploy.key", "certs/a.p12", "a.pfx", "store.jks"],
    ...["terraform.tfstate", "infra/terraform.tfstate.backup", "terraform.tfstate.1700000000.backup"],
    ...["terraform.tfstate.d/prod/terraform.tfstate", "prod.tfstate", "terraform.tfvars", "prod.auto.tfvars"],
    ...["prod.tfvars.json", "workspace-token", "deploy/workspace-token", "state/auth-secret"],
    ...[
      "prod.env",
      "docker/app.env",
      "credentials.json",
      "home/.claude/.credentials.json",
      "a/service-account-ci.json",
    ],
    ...["client_secret_123.apps.json", ".pypirc", ".pgpass", ".my.cnf", ".htpasswd", ".vault-token", ".yarnrc.yml"],
    ...["home/.config/gh/hosts.yml", ".config/gcloud/access_tokens.db", ".config/git/credentials", ".azure/a.json"],
    ...["home/.cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".terraform.d/credentials.tfrc.json"],
    ...["rootkey.csv", "accessKeys.csv", "ann_accessKeys.csv", "credentials.csv", "new_user_credentials.csv"],
    ...["shop-firebase-adminsdk-abc12-0123456789.json", "config/firebase-admin-sdk.json", "firebase-adminsdk.json"],
    ...["gcp-service-account.json", "firebase_service_account.json", "src/firebaseServiceAccountKey.json"],
    ...["AuthKey_ABC123DEFG.p8", "kubeconfig", "kubeconfig.yaml", "infra/prod-kubeconfig.yml", "prod.kubeconfig"],
    ...["release.keystore", "a.ppk", "Secrets.kdbx", ".git/config.worktree", "mirror.git/config"],
    ...["token.json", "quickstart/token.pickle", "google-credentials.json", "gcp_credentials.json", "auth.json"],
    ...["secrets.json", "secrets.yml", "secrets.yaml", ".streamlit/secrets.toml", "api/local.settings.json"],
    ...[".databrickscfg", ".s3cfg", "home/.claude.json"],
    ...[".secrets", ".secrets.toml", "config/.secrets.yaml", ".secrets.json", ".boto", ".mylogin.cnf", ".clasprc.json"],
    ...[".sentryclirc", "rclone.conf", ".config/hub", "home/.m2/settings.xml"],
    ...["credentials (1).json", "credentials(1).json", "credentials copy.json", "credentials - Copy (2).json"],
    ...["token 2.json", "auth (another copy).json", "auth (Copy 2).json", "auth - Kopie.json", ".npmrc copy"],
    ...[".netrc - Copy", "kubeconfig (1).yaml", "secrets (2).yaml", "rootkey (1).csv", "token (1).json.bak"],
    ...[".aws copy/credentials", ".docker - Copy/config (1).json", ".git copy/config", "mirror.git.bak/config (1)"],
  ])("guards %s", (path) => {
    expect(isGuardedPath(path)).toBe(true);
  });

  it.each([
    ["upper case", ".ENV"],
    ["mixed case below a directory", ".Git/Config"],
    ["a full-width letter", ".env".replace("e", "\uff45")],
    ["a long s, which is an s in lower case", ".dev.var\u017f"],
    ["a character that HFS+ ignores", ".e\u200cnv"],
    ["a dot at the end, which NTFS drops", ".env."],
    ["a space at the end, which NTFS drops", "server.pem "],
    ["upper case before a directory's own", ".AWS/Credentials"],
    ["mixed case in both parts of it", ".Docker/Config.JSON"],
    ["mixed case and a dot at the end", "Terraform.TFState."],
    ["upper case in its extension", "server.KEY"],
    ["a full-width dash", "workspace\uff0dtoken"],
    ["what an editor adds to a backup", "server.key~"],
    ["what an editor adds while it is open", ".server.key.swp"],
    ["what Emacs adds while it is open", "certs/#id_rsa#"],
    ["what a person adds to a copy", "id_rsa.bak"],
    ["two of them", ".npmrc.bak~"],
    ["the short name that NTFS gives it", "ENV~1"],
    ["the short name of its directory", "git~1/config"],
    ["a short name of many", "packages/a/NPMR~12"],
    ["a short name with an extension", "CREDEN~1.JSO"],
    ["a short name that is a hash", "GI7EBA~1/hooks/pre-commit"],
  ])("guards a name written with %s", (_, path) => {
    expect(isGuardedPath(path)).toBe(true);
  });

  it.each([
    ".",
    ".env.example",
    ".ENV.EXAMPLE",
    "env",
    "src/env.ts",
    "environment.md",
    "dev.vars",
    "wrangler/a",
    "wrangler.toml",
    ".git/HEAD",
    ".gitconfig",
    "config",
    "src/config",
    "a.pem.txt",
    "id_rsa.pub",
    "identity",
    "id_/readme.md",
    ...["npmrc", ".npmrc.md", "docs/netrc.md", "aws/credentials.ts", "ssh/config", "kube.ts", ".dockerignore"],
    ...["docker/config.json", ".docker/daemon.json", "config.json", "key", "src/key.ts", "a.key.ts", "monkey"],
    ...["terraform.tf", "main.tf", "tfstate.md", "terraform.tfvars.example", "src/tfvars.ts"],
    ...["src/workspace-token.ts", "workspace-tokens", "credentials.ts", "src/credentials.json.ts", ".config/other"],
    ...["credentials.csv.md", "credentials-list.csv", "src/credentials_csv.py", "accessKeys.ts", "keys.csv"],
    ...["io.k8s.api.core.v1.ServiceAccount.json", "firebase.json", "firebase-adminsdk.ts", "google-services.json"],
    ...["pkg/kubeconfig/load.go", "kubeconfig.go", "bin/get-kubeconfig", "kubeconfig.yaml.example", "kubeconfig.md"],
    ...["secrets.ts", "docs/secrets.md", "tokens.json", "design.token.json", "src/auth.ts", "auth.json.ts"],
    ...["settings.json", "mycredentials.json", "secrets.example.yaml", "claude.json"],
    ...["credentials-copy.ts", "credentials copy.ts", "config (1).json", "copy", " copy.json", "tokens 2.json"],
    ...["a~b", "v1~", "~1", "notes~1.html", "long-name~1", "Makefile.~1~", "a.b~1", "HEAD~1 in words.md"],
    ...["env.d.ts", "src/service-account.ts", "cargo/credentials", "config.worktree", "readme.bak", "#"],
  ])("leaves %s", (path) => {
    expect(isGuardedPath(path)).toBe(false);
  });

  it("guards the directories it is given, whole, in any case", () => {
    expect(isGuardedPath("state/deep/db.sqlite", ["state/deep"])).toBe(true);
    expect(isGuardedPath("State/Deep", ["state/deep"])).toBe(true);
    expect(isGuardedPath("state/deeper", ["state/deep"])).toBe(false);
    expect(isGuardedPath("state", ["state/deep"])).toBe(false);
  });
});

describe("the globs of a file's copies", () => {
  /** A name that the glob finds, with nothing in place of its star. */
  const nameOf = (glob: string): string =>
    glob.replace("[a-p]", "p").replace("[ -,]*", " (1)").replace("[ -,.~]*", " copy").replace("*", "");

  it.each(["server.key", ".docker/config.json", "sub/.git/config"].flatMap(copyGlobs).map(nameOf))(
    "find %s, which is guarded as well",
    (name) => {
      expect(isGuardedPath(name)).toBe(true);
    },
  );

  it("find what editors and people call them", () => {
    expect(copyGlobs("server.key").map(nameOf)).toEqual(
      expect.arrayContaining(["server.key~", "server.key.bak", "server.key.orig", "#server.key", ".#server.key"]),
    );
    expect(copyGlobs(".docker/config.json").map(nameOf)).toEqual(
      expect.arrayContaining([
        ".docker/config.json (1)",
        ".docker/config (1).json",
        ".docker copy/config.json",
        ".docker/config.json~",
      ]),
    );
  });
});

it("a refusal names the path and says what to do", () => {
  expect(() => refuseGuardedPath("app/.env")).toThrow(
    expect.objectContaining({ code: "refused", message: expect.stringMatching(/^"app\/\.env" is guarded.*Ask/) }),
  );
  expect(refuseGuardedPath("app/env.ts")).toBeUndefined();
});
