/** The person's own ripgrep: finds the files that have a matching line. It is never asked for the lines. */
import { execFile, type StdioOptions, spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, type FileHandle, open, realpath, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join, sep } from "node:path";
import { promisify } from "node:util";

/** The first version with all the options below. */
const MIN_MAJOR = 12;

/** How long `rg --version` may take, in ms. */
const VERSION_TIMEOUT_MS = 5_000;

/** Bytes of one process's arguments: well below what any system accepts (macOS: 1 MB with the environment). */
const MAX_ARGUMENT_BYTES = 400_000;

/** Output of one search in bytes. */
const MAX_OUTPUT_BYTES = 32 * 1_024 * 1_024;

/** Characters of its error output that are kept, to distinguish unreadable files from a pattern it does not accept. */
const MAX_ERROR_CHARACTERS = 65_536;

/** Each directory is named and none is entered, so ripgrep reads no ignore file and decides only whether a line matches. */
const OPTIONS = [
  ...["--no-config", "--no-ignore", "--hidden", "--max-depth=1", "--null", "--color=never"],
  // Every file is listed with 0 or 1, so that the files that ripgrep skipped can be found.
  ...["--count", "--max-count=1", "--include-zero"],
  ...["--text", "--encoding=none", "--no-mmap", "--engine=default"],
];

/** What to look for, and in which directories of the root. */
export type RipgrepQuery = {
  readonly pattern: string;
  /** Relative to the root; `.` is the root itself. Their own files are searched, not those further down. */
  readonly directories: readonly string[];
  /** Larger files are left out. */
  readonly maxFileBytes: number;
};

/** Runs ripgrep. Resolves with its output, for `readCounts`, or with undefined when it failed. Never rejects. */
export type Ripgrep = (root: string, query: RipgrepQuery, signal: AbortSignal) => Promise<Uint8Array | undefined>;

/** The first working `rg` in PATH. One below `root` is not used: the agent could have put it there. */
export const findRipgrep = async (path: string, root: string): Promise<Ripgrep | undefined> => {
  for (const directory of path.split(delimiter).filter(isAbsolute)) {
    const program = await programIn(directory);
    if (program === undefined || program.startsWith(root + sep)) continue;
    // A search fails if there is no place for its output, because the directory for temporary files is gone or full.
    if (await isRecent(program)) return (...asked) => search(program, ...asked).catch(() => undefined);
  }
  return undefined;
};

const programIn = async (directory: string): Promise<string | undefined> => {
  try {
    const program = await realpath(join(directory, "rg"));
    await access(program, constants.X_OK);
    return program;
  } catch {
    // There is no such file.
    return undefined;
  }
};

const isRecent = async (program: string): Promise<boolean> => {
  try {
    const { stdout } = await promisify(execFile)(program, ["--version"], { env: {}, timeout: VERSION_TIMEOUT_MS });
    return Number(/^ripgrep (\d+)\./.exec(stdout)?.[1]) >= MIN_MAJOR;
  } catch {
    // It does not run here.
    return false;
  }
};

const search: (program: string, ...rest: Parameters<Ripgrep>) => ReturnType<Ripgrep> = async (
  program,
  root,
  query,
  signal,
) => {
  const outputs: Buffer[] = [];
  const options = [...OPTIONS, `--max-filesize=${query.maxFileBytes}`, `--regexp=${query.pattern}`, "--"];
  for (const directories of inBatches(query.directories)) {
    const output = await runOnce(program, [...options, ...directories], root, signal);
    if (output === undefined) return undefined;
    outputs.push(output);
  }
  return Buffer.concat(outputs);
};

function* inBatches(directories: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let byteLength = 0;
  for (const directory of directories) {
    const argument = directory === "." ? "./" : `./${directory}`;
    byteLength += Buffer.byteLength(argument) + 16;
    if (byteLength > MAX_ARGUMENT_BYTES) {
      yield batch;
      batch = [];
      byteLength = 0;
    }
    batch.push(argument);
  }
  if (batch.length > 0) yield batch;
}

/** Its output goes to an unnamed file: through a pipe, each searched file would wake this process up. */
const runOnce = async (
  program: string,
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<Buffer | undefined> => {
  const output = await openUnnamed();
  try {
    const { exitCode, errors } = await runInto(output.fd, program, args, { cwd, signal });
    const isWhole = exitCode === 0 || exitCode === 1 || (exitCode === 2 && isAboutFiles(errors));
    const { size } = await output.stat();
    if (!isWhole || size > MAX_OUTPUT_BYTES) return undefined;
    const { buffer, bytesRead } = await output.read(Buffer.alloc(size), 0, size, 0);
    return bytesRead === size ? buffer : undefined;
  } finally {
    await output.close();
  }
};

const openUnnamed = async (): Promise<FileHandle> => {
  const path = join(tmpdir(), `tally-${crypto.randomUUID()}`);
  const handle = await open(path, "wx+", 0o600);
  await unlink(path);
  return handle;
};

const runInto = async (
  descriptor: number,
  program: string,
  args: readonly string[],
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<{ readonly exitCode: number | null; readonly errors: string }> => {
  if (signal.aborted) return { exitCode: null, errors: "" };
  const stdio: StdioOptions = ["ignore", descriptor, "pipe"];
  const child = spawn(program, args, { cwd, env: {}, stdio, signal, killSignal: "SIGKILL" });
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
    if (errors.length > MAX_ERROR_CHARACTERS) child.kill("SIGKILL");
  });
  // An abort, or a program that no longer exists. The exit reports either of them.
  child.on("error", () => undefined);
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { exitCode, errors };
};

/** Whether all its errors are about files that cannot be read or no longer exist: nobody could search those. */
const isAboutFiles = (errors: string): boolean =>
  errors !== "" &&
  errors
    .trimEnd()
    .split("\n")
    .every((line) => /\(os error \d+\)$/.test(line));
