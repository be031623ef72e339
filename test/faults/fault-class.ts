/** What a class of faults is to the program that runs it. */
import type { Stops } from "../bench/stops.ts";

/** One case that was tried. `tried` is the number of faults in it; a case without problems has survived them all. */
export type Verdict = {
  readonly seed: number;
  /** What was done, in a few words. */
  readonly label: string;
  readonly tried: number;
  readonly problems: readonly string[];
  /** What the product printed meanwhile; kept in a file when there are problems. */
  readonly log?: string;
};

/** What a class is given. */
export type ClassInput = {
  readonly seeds: readonly number[];
  /** Ends what was started, also when the program is interrupted. */
  readonly stops: Stops;
  /** A line for the person who waits. */
  readonly say: (line: string) => void;
};

/** Thrown by a class that this machine cannot try: its row of the table says why. */
export class NotTried extends Error {}

/** One row of the table at the end. */
export type FaultClass = {
  readonly name: string;
  /** What it does to the product. */
  readonly about: string;
  /** How many cases it has by itself; undefined where `--cases` says so. */
  readonly ownCases?: number;
  /** Seconds that one case takes on two cores, roughly. */
  readonly caseSeconds: number;
  /** @throws {NotTried} before the first verdict. */
  run(input: ClassInput): AsyncIterable<Verdict>;
};
