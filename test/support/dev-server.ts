/** `npm run dev` as a person starts it: through npm, in a terminal's process group, seen only from outside. */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { PASSED_ON } from "../../src/cli/dev/dev-variables.ts";
import { type DevRecord, readDevRecord } from "../../src/cli/dev/leftovers.ts";
import { findFreePort } from "../../src/process/port.ts";
import { signalAndWait } from "../../src/process/process-group.ts";
import { PROJECT_DIR } from "../../src/process/project.ts";

/** How long to wait for the kernel to end killed processes, in ms. */
const KILL_WAIT_MS = 5_000;

/**
 * Keys and settings of the person who runs the tests must not reach them, nor what is set for other tests. An empty variable also takes
 * precedence over `.dev.vars`.
 */
const WITHOUT = {
  ...Object.fromEntries(PASSED_ON.map((name) => [name, ""])),
  CLAUDE_CODE_OAUTH_TOKEN: "",
  // Scripts have what a turn asks for.
  AGENT_TITLES: "off",
  // Those of the tests inside workerd.
  MINIFLARE_WORKERD_V8_FLAGS: "",
  // Nothing but the scripted model is asked.
  OFFLINE: "true",
};

/** What a start is given. `args` are options of the dev command; `port` is a free one by default. */
export type DevServerOptions = {
  readonly persistTo: string;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** The checkout whose command it is: this one by default. */
  readonly projectDir?: string;
  /** File that gets all that is printed, for other processes to read. */
  readonly outputFile?: string;
};

/** A dev command that has said `Ready`. */
export type DevServer = {
  /** Base address without a slash at its end; 127.0.0.1, because `localhost` may try ::1 first. */
  readonly url: string;
  readonly port: number;
  /** The process group of npm, the dev command and the workspace's server. */
  readonly groupId: number;
  /** The dev command's own process and wrangler's process group. */
  readonly record: DevRecord;
  /** All lines printed so far, standard error among them. */
  output(): string;
  /** The first group of a pattern, once the output matches it. */
  line(pattern: RegExp): Promise<string>;
  /** Sends npm a signal, as a supervisor does; resolves to the exit code. TERM by default. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** `kill -9` of everything at once: npm, the dev command, wrangler and its runtimes. */
  killGroup(): Promise<void>;
  /** Resolves to the exit code once the command has ended, for whatever reason. */
  readonly ended: Promise<number | null>;
};

/** Runs the dev command until it ends by itself, for starts that are refused. */
export const runDevCommand = async (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ exitCode: number | null; output: string }> => {
  const command = spawnDevCommand(args, env);
  return { exitCode: await command.ended, output: command.output() };
};

/** Starts the dev command and waits for its last start-up line. @throws {Error} with all output when it ends before. */
export const startDevServer = async (options: DevServerOptions): Promise<DevServer> => {
  const port = options.port ?? (await findFreePort());
  const args = ["--port", String(port), "--persist-to", options.persistTo, ...(options.args ?? [])];
  const command = spawnDevCommand(args, options.env, options);
  await command.ready;
  const record = readDevRecord(options.persistTo);
  if (record === undefined) throw new Error(`No record in ${options.persistTo}.`);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    groupId: command.pid,
    record,
    output: command.output,
    line: command.line,
    ended: command.ended,
    stop: (signal = "SIGTERM") => {
      process.kill(command.pid, signal);
      return command.ended;
    },
    killGroup: async () => {
      const groups = [command.pid, record.wranglerGroupId];
      // Stopped first: each watches the other, and would tidy up in the moment before its own end.
      await Promise.all(groups.map((group) => signalAndWait(group, "SIGSTOP", 0)));
      await Promise.all(groups.map((group) => signalAndWait(group, "SIGKILL", KILL_WAIT_MS)));
    },
  };
};

const spawnDevCommand = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { projectDir = PROJECT_DIR, outputFile }: Pick<DevServerOptions, "projectDir" | "outputFile"> = {},
) => {
  const child = spawn("npm", ["run", "--silent", "dev", "--", ...args], {
    cwd: projectDir,
    detached: true,
    env: { ...process.env, ...WITHOUT, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (child.pid === undefined) throw new Error("npm could not be started.");
  let output = "";
  const lookers = new Set<() => void>();
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let isReady = false;
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (outputFile !== undefined) appendFileSync(outputFile, chunk);
      // Not for each line of a long life: looking makes one text of all that was printed.
      isReady ||= /^Ready on .*$/m.test(output);
      if (isReady) resolve();
      for (const look of lookers) look();
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void ended.then((code) => reject(new Error(`npm run dev ended with ${code}:\n${output}`)));
  });
  // A refused start is looked at through `ended`.
  ready.catch(() => undefined);
  const line = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      const look = () => {
        const found = pattern.exec(output)?.[1];
        if (found === undefined) return;
        lookers.delete(look);
        resolve(found);
      };
      lookers.add(look);
      look();
    });
  return { pid: child.pid, ended, ready, line, output: () => output };
};
