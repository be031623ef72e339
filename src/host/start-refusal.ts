/** A start that cannot be. The program prints the message and ends; anything else thrown is a bug with a stack. */

/** 2: the command line is wrong. 1: anything else that stands in the way. */
type ExitCode = 1 | 2;

/** Thrown by every step of the start. `message` names what is wrong and the remedy, on one line. */
export class StartRefusal extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1) {
    super(message);
    this.name = "StartRefusal";
    this.exitCode = exitCode;
  }
}
