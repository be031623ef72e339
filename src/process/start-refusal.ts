/** A start that is not possible. The program prints the message and ends; anything else thrown is a bug with a stack. */

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
