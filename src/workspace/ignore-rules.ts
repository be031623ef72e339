/** Which paths `.gitignore` files and a glob match, by git's own rules (gitignore(5)). */
import { type IgnorePattern, isAbsurd, MAX_PATTERN_LENGTH, MAX_WILDCARDS, readIgnoreLine } from "./ignore-pattern.ts";
import { showPath } from "./resolve-path.ts";
import { WorkspaceError } from "./workspace.ts";

/**
 * Most text of ignore files that names are compared with at a time, in UTF-16 units. The longest files that people have are about 20,000
 * long. Each line is compared with each name: the worst lines take 0.2 µs per unit.
 */
export const MAX_RULES_LENGTH = 100_000;

/** The rules of one directory and those above it. A rule of a deeper file overrides one further up. */
export type IgnoreRules = {
  /** Length of their text. */
  readonly length: number;
  /** `path` is resolved; `isDirectory` matters for rules that end with a slash. */
  ignores(path: string, isDirectory: boolean): boolean;
  /** Adds the rules of one more `.gitignore`, in `directory`; only its first lines, if all would be too long. */
  with(directory: string, gitignore: string): IgnoreRules;
};

/** What some rules say about a path; undefined when none matches it. */
type Verdict = "ignored" | "unignored" | undefined;

type Layer = {
  readonly directory: string;
  readonly length: number;
  readonly verdict: (path: string, isDirectory: boolean) => Verdict;
};

/** A path relative to a directory, or undefined when it is not below it. */
const pathBelow = (directory: string, path: string): string | undefined => {
  if (directory === ".") return path;
  return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : undefined;
};

const lengthOf = (layers: readonly Layer[]): number => layers.reduce((sum, { length }) => sum + length, 0);

/** The whole lines that fit into a length. */
const linesWithin = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, text.lastIndexOf("\n", length) + 1);

const rulesOf = (layers: readonly Layer[]): IgnoreRules => ({
  length: lengthOf(layers),
  ignores: (path, isDirectory) => {
    for (const { directory, verdict } of layers) {
      const below = pathBelow(directory, path);
      const said = below === undefined ? undefined : verdict(below, isDirectory);
      if (said !== undefined) return said === "ignored";
    }
    return false;
  },
  with: (directory, gitignore) => {
    const lines = linesWithin(gitignore, MAX_RULES_LENGTH - lengthOf(layers));
    return rulesOf([{ directory, length: lines.length, verdict: verdictsOf(lines) }, ...layers]);
  },
});

/** Directories whose verdict is cached for each ignore file: a walk asks for one after the other. */
const MAX_KNOWN = 1_000;

/** What a `.gitignore` says about paths below it. Nothing in an ignored directory can be un-ignored. */
const verdictsOf = (gitignore: string): Layer["verdict"] => {
  const patterns = gitignore
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .flatMap((line) => readIgnoreLine(line) ?? [])
    .reverse();
  const known = new Map<string, Verdict>();
  const directoryVerdict = (path: string): Verdict => {
    if (known.has(path)) return known.get(path);
    if (known.size >= MAX_KNOWN) known.clear();
    const verdict = verdictOf(path, true);
    known.set(path, verdict);
    return verdict;
  };
  const verdictOf = (path: string, isDirectory: boolean): Verdict => {
    const slash = path.lastIndexOf("/");
    if (slash > 0 && directoryVerdict(path.slice(0, slash)) === "ignored") return "ignored";
    return lastWord(patterns, path, path.slice(slash + 1), isDirectory);
  };
  return verdictOf;
};

/** The patterns are sorted last line first: the first one that matches decides. */
const lastWord = (patterns: readonly IgnorePattern[], path: string, name: string, isDirectory: boolean): Verdict => {
  for (const pattern of patterns) {
    if ((isDirectory || !pattern.isForDirectories) && pattern.names(path, name)) {
      return pattern.isNegative ? "unignored" : "ignored";
    }
  }
  return undefined;
};

/** Rules that match nothing. */
export const NO_RULES: IgnoreRules = rulesOf([]);

/** Braces that contain at least one comma and no other braces. As in a shell, all other braces are characters of the name. */
const BRACES = /(?<![[\\])\{((?:\\.|[^\\{},])*,(?:\\.|[^\\{}])*)\}/;

/** A glob with each of the alternatives in its first braces, or the glob alone. */
const alternativesOf = (glob: string): readonly string[] =>
  BRACES.exec(glob)?.[1]
    ?.split(/(?<!\\),/)
    .map((one) => glob.replace(BRACES, () => one)) ?? [glob];

/**
 * Whether a path below `directory` matches a glob; without a glob all do. A glob is like a line of a `.gitignore` there, or several when
 * it has braces: `*.{ts,md}` is `*.ts` and `*.md`. `./` at its beginning is `directory` itself.
 *
 * @throws {WorkspaceError} `invalid` for one that is longer, or has more wildcards, than any tree needs.
 */
export const globMatcher = (glob: string | undefined, directory: string): ((path: string) => boolean) => {
  if (glob === undefined) return () => true;
  let globs: readonly string[] = [glob];
  for (let known = 0; known < globs.length && !isAbsurd(globs.join("\n")); ) {
    known = globs.length;
    globs = globs.flatMap(alternativesOf);
  }
  if (isAbsurd(globs.join("\n"))) {
    throw new WorkspaceError(
      "invalid",
      `The glob ${showPath(glob)} is too complex: use at most ${MAX_PATTERN_LENGTH} characters and ${MAX_WILDCARDS} wildcards, in all alternatives together.`,
    );
  }
  const verdict = verdictsOf(globs.map((one) => one.replace(/^\.(?=\/)/, "").replace(/^[!#]/, "\\$&")).join("\n"));
  return (path) => {
    const below = pathBelow(directory, path);
    return below !== undefined && verdict(below, false) === "ignored";
  };
};
