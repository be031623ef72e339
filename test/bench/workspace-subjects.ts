/** Bare ripgrep and the host workspace, over one directory of 20,000 files. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HostWorkspace } from "../../src/workspace/host/host-workspace.ts";
import { startWorkspaceServer } from "../../src/workspace-server/workspace-server.ts";
import { nodeFetch } from "../support/node-fetch.ts";
import type { Subject } from "./subject.ts";

/** 20,000 files of 5 kB in 1,000 directories, beside an ignored one; one file in 500 has a line that is looked for. */
const DIRECTORIES = 1_000;
const FILES_IN_EACH = 20;
const LINES = 60;
const MATCHING_IN = 500;

const RIPGREP = "rg";

const PATTERN = "findNeedle\\d+";
const MATCHES = (DIRECTORIES * FILES_IN_EACH) / MATCHING_IN;

const NEVER = new AbortController().signal;

/** One side: finds a pattern that is in 40 of the 20,000 files. */
export type WorkspaceSubject = {
  readonly name: Subject["name"];
  search(): Promise<void>;
  stop(): Promise<void>;
};

/** Floor and product; undefined without ripgrep on this machine's PATH. The last `stop` removes the files. */
export const startWorkspaces = async (): Promise<readonly WorkspaceSubject[] | undefined> => {
  const parent = await mkdtemp(join(tmpdir(), "tally-search-"));
  const [root, state] = [join(parent, "root"), join(parent, "state")];
  await Promise.all([mkdir(root), mkdir(state)]);
  const server = await startWorkspaceServer(root, state);
  const stop = async () => {
    await server.close();
    await rm(parent, { recursive: true, force: true });
  };
  if (!server.hasRipgrep) {
    await stop();
    return undefined;
  }
  await makeFiles(root);
  const workspace = new HostWorkspace(server, nodeFetch);
  const searchWorkspace = async () => {
    const { lines } = await workspace.search({ path: ".", pattern: PATTERN, context: 0, limit: 1_000 }, NEVER);
    requireMatches(lines.length);
  };
  return [
    { name: "floor", search: () => searchBare(root), stop: async () => {} },
    { name: "product", search: searchWorkspace, stop },
  ];
};

/** As a person would: the same query, with its lines and numbers. */
const searchBare = async (root: string): Promise<void> => {
  const child = spawn(RIPGREP, ["--line-number", "--", PATTERN], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  let lines = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    lines += chunk.toString().split("\n").length - 1;
  });
  await once(child, "close");
  requireMatches(lines);
};

const requireMatches = (found: number): void => {
  if (found !== MATCHES) throw new Error(`${found} lines found, not ${MATCHES}.`);
};

const makeFiles = async (root: string): Promise<void> => {
  await writeFile(join(root, ".gitignore"), "ignored/\n*.log\n");
  for (let directory = 0; directory < DIRECTORIES; directory += 1) {
    const path = join(root, `package-${directory % 20}`, `module-${directory}`);
    await mkdir(path, { recursive: true });
    const files = Array.from({ length: FILES_IN_EACH }, (_, index) => directory * FILES_IN_EACH + index);
    await Promise.all(files.map((number) => writeFile(join(path, `file-${number}.ts`), textOf(number))));
  }
};

const textOf = (number: number): string => {
  const lines = Array.from({ length: LINES }, (_, line) => {
    const key = (number * line * 7_919).toString(36);
    return `export const value${line} = compute(${number}, ${line}, "${key}"); // of the module in hand`;
  });
  if (number % MATCHING_IN === 0) lines.push(`const needle = findNeedle${number}(haystack);`);
  return `${lines.join("\n")}\n`;
};
