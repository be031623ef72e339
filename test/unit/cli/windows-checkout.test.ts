/** A checkout by the git of Windows, which writes CRLF where nothing else is said. The project runs there under WSL. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { PROJECT_DIR } from "../../../src/process/project.ts";

it.each(["src/cli/dev/workerd-without-inspector.sh", "migrations/0001_stocks.sql"])("leaves %s as it is", (path) => {
  const dir = mkdtempSync(join(tmpdir(), "tally-checkout-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const [source, copy] = [join(PROJECT_DIR, path), join(dir, "copy")];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: join(dir, "no-config") };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "core.autocrlf=true", ...args], { cwd: dir, env, stdio: "pipe" });
  copyFileSync(join(PROJECT_DIR, ".gitattributes"), join(dir, ".gitattributes"));
  copyFileSync(source, copy);
  git("init", "--quiet");
  git("add", ".");
  rmSync(copy);
  git("checkout", "--", "copy");
  expect(readFileSync(copy, "utf8")).toBe(readFileSync(source, "utf8"));
});
