/**
 * Runs wrangler for as long as the program that started this one lives. That program holds the other end of the standard input and
 * writes nothing; the system closes it however that program ends, even by `kill -9`. Arguments: the dev command's `--persist-to`,
 * or "" for any other command; then wrangler's program and its arguments.
 */
import { spawn } from "node:child_process";

const [persistTo = "", ...program] = process.argv.slice(2);

const wrangler = spawn(process.execPath, program, { stdio: ["ignore", "inherit", "inherit"] });

let isAlone = false;

wrangler.once("exit", (code) => {
  if (!isAlone) process.exit(code ?? 1);
});

const endAll = async (): Promise<void> => {
  // Imported only here: otherwise every start of wrangler would wait for it.
  const { endOrphans } = await import("./end-orphans.ts");
  await endOrphans(process.pid, persistTo);
};

process.stdin.resume().once("close", () => {
  isAlone = true;
  // A signal to the group also reaches this process, which is its first one.
  process.on("SIGTERM", () => undefined);
  void endAll().finally(() => process.exit(1));
});
