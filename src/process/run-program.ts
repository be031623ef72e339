/** The frame of every command-line program: what stops it, and how it ends. */

/** 2: the command line is wrong. 1: any other reason. */
type ExitCode = 1 | 2;

/** Thrown by every step of the start. `message` says what is wrong and what to do, on one line. */
export class StartRefusal extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1) {
    super(message);
    this.name = "StartRefusal";
    this.exitCode = exitCode;
  }
}

/**
 * Runs `main` and ends the process: with 0 when it is done, with a refusal's own code after printing its message. Ctrl-C, TERM and HUP
 * abort the signal. A terminal sends Ctrl-C both to npm and to us, and npm passes its own on to us: this second one changes nothing.
 *
 * @throws whatever else `main` throws, which is a bug and keeps its stack.
 */
export const runProgram = async (main: (stop: AbortSignal) => Promise<void>): Promise<never> => {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stop.abort());
  try {
    await main(stop.signal);
  } catch (error) {
    if (!(error instanceof StartRefusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(error.exitCode);
  }
  process.exit(0);
};
