/** Which paths a workspace accepts: inside the root, well-formed, and not a guarded file. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Workspace } from "../../../src/workspace/workspace.ts";
import {
  bytesOf,
  expectRefusal,
  listed,
  NEVER,
  type Open,
  readText,
  run,
  searched,
  write,
} from "./workspace-under-test.ts";

const RANGE = { offset: 0, maxBytes: 100 };

const GUARDED = [
  ".env",
  ".ENV",
  ".env.local",
  "deep/down/.env",
  ".dev.vars",
  ".dev.vars.production",
  ".wrangler/state/v3/d1.sqlite",
  ".git/config",
  "certs/server.pem",
  "keys/id_ed25519",
  ...[".npmrc", "home/.netrc", ".git-credentials", ".aws/credentials", ".SSH/config", ".gnupg/a/b.gpg", ".kube/config"],
  ...[".docker/config.json", "deploy.key", "certs/Server.P12", "a.pfx", "a.jks", "infra/terraform.tfstate"],
  ...["terraform.tfstate.backup", "prod.tfvars", "workspace-token", "credentials.json", "prod.env", "id_rsa.bak"],
  ...["ann_accessKeys.csv", "a-firebase-adminsdk-b1-c2.json", "gcp-service-account.json", "AuthKey_A.p8", "kubeconfig"],
];

export const describePaths = (open: Open): void => {
  let workspace: Workspace;
  beforeEach(async () => {
    ({ workspace } = await open());
  });

  describe("a path", () => {
    it.each(["../escape.txt", "a/../../escape.txt", "a/b/../../../escape.txt", "..", "./.././escape.txt"])(
      "%s is refused by every call, since it leaves the root",
      async (path) => {
        await expectRefusal(workspace.stat(path), "outside", /\.\./);
        await expectRefusal(workspace.read(path, RANGE), "outside", /\.\./);
        await expectRefusal(workspace.write(path, bytesOf("x")), "outside", /\.\./);
        await expectRefusal(workspace.delete(path), "outside", /\.\./);
        await expectRefusal(workspace.list({ path, limit: 10 }), "outside", /\.\./);
        await expectRefusal(workspace.search({ path, pattern: "x", context: 0, limit: 10 }, NEVER), "outside", /\.\./);
        await expectRefusal(run(workspace, "echo ran", { dir: path }), "outside", /\.\./);
      },
    );

    it.each(["/etc/passwd", "/", "//etc/passwd", "/tmp"])("%s is refused, since it is absolute", async (path) => {
      await expectRefusal(workspace.read(path, RANGE), "outside", /relative/);
      await expectRefusal(workspace.write(path, bytesOf("x")), "outside", /relative/);
      await expectRefusal(run(workspace, "echo ran", { dir: path }), "outside", /relative/);
    });

    it.each([
      ["with NUL", "a\0.txt", /NUL/],
      ["that is empty", "", /empty/],
      ["with a name over 255 bytes", `${"é".repeat(128)}.txt`, /255/],
      ["over 4,095 bytes", "abcdefg/".repeat(600), /4095/],
      ["that is no Unicode", "\ud800.txt", /Unicode/],
    ])("%s is refused as invalid", async (_, path, named) => {
      await expectRefusal(workspace.read(path, RANGE), "invalid", named);
      await expectRefusal(workspace.write(path, bytesOf("x")), "invalid", named);
    });

    it.each(["./a/b.txt", "a//b.txt", "a/./b.txt", "a/c/../b.txt", "a/b.txt/"])("%s means a/b.txt", async (path) => {
      await write(workspace, "a/b.txt", "here");
      expect(await readText(workspace, path)).toBe("here");
    });

    it.each([
      "back\\slash.txt",
      "..\\up.txt",
      "with space.txt",
      "~",
      "ünïcode 日本.txt",
      "-rf",
      "$HOME",
      "a\nb.txt",
      "...",
    ])("may hold a name like %j, taken as it is", async (path) => {
      await write(workspace, path, "kept");
      expect(await readText(workspace, path)).toBe("kept");
      expect(await listed(workspace)).toEqual([path]);
    });
  });

  describe("a guarded file", () => {
    it.each(GUARDED)("%s is refused by every call, whether it is there or not", async (path) => {
      await expectRefusal(workspace.stat(path), "refused", /guarded/);
      await expectRefusal(workspace.read(path, RANGE), "refused", /guarded/);
      await expectRefusal(workspace.write(path, bytesOf("x")), "refused", /guarded/);
      await expectRefusal(workspace.delete(path), "refused", /guarded/);
    });

    it.each(GUARDED)("%s is neither listed nor searched", async (path) => {
      await write(workspace, "open.txt", "secret");
      await run(workspace, `mkdir -p "$(dirname ${path})" && echo secret > ${path}`);
      expect(await listed(workspace)).toEqual(["open.txt"]);
      expect(await searched(workspace, "secret")).toEqual(["open.txt:1:secret"]);
    });

    it("has neighbours that are not: an example, a public key, a name that only begins alike", async () => {
      const neighbours = [".env.example", "docker/config.json", "env.ts", "id_rsa.pub", "identity.ts", "key.ts"];
      for (const path of neighbours) await write(workspace, path, "open");
      expect(await listed(workspace)).toEqual(neighbours);
    });

    it("does not hide the files of a directory that has its name", async () => {
      await write(workspace, "pkg/kubeconfig/load.go", "package kubeconfig");
      expect(await listed(workspace)).toEqual(["pkg/kubeconfig/load.go"]);
      expect(await searched(workspace, "package")).toEqual(["pkg/kubeconfig/load.go:1:package kubeconfig"]);
    });
  });
};
