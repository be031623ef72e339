/** Which files are never shown. */
import { describe, expect, it } from "vitest";
import { isGuardedPath, refuseGuardedPath } from "../../../src/workspace/guarded-path.ts";

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
    "id_ecdsa_sk",
    ...[".npmrc", "packages/a/.npmrc", ".netrc", "_netrc", ".git-credentials", "home/.git-credentials"],
    ...[".aws", ".aws/credentials", ".ssh/config", ".ssh/known_hosts", ".gnupg/pubring.kbx", "home/.kube/config"],
    ...[".docker/config.json", "home/.docker/config.json", "deploy.key", "certs/a.p12", "a.pfx", "store.jks"],
    ...["terraform.tfstate", "infra/terraform.tfstate.backup", "terraform.tfstate.1700000000.backup"],
    ...["terraform.tfstate.d/prod/terraform.tfstate", "prod.tfstate", "terraform.tfvars", "prod.auto.tfvars"],
    ...["prod.tfvars.json", "workspace-token", "deploy/workspace-token"],
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
    ...["src/workspace-token.ts", "workspace-tokens"],
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

it("a refusal names the path and says what to do", () => {
  expect(() => refuseGuardedPath("app/.env")).toThrow(
    expect.objectContaining({ code: "refused", message: expect.stringMatching(/^"app\/\.env" is guarded.*Ask/) }),
  );
  expect(refuseGuardedPath("app/env.ts")).toBeUndefined();
});
