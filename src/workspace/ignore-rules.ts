/** Which paths `.gitignore` files and a glob name, by the rules of git itself (gitignore(5)). */
import { type IgnorePattern, isAbsurd, MAX_PATTERN_LENGTH, MAX_WILDCARDS, readIgnoreLine } from "./ignore-pattern.ts";
import { showPath } from "./resolve-path.ts";
import { WorkspaceError } from "./workspace.ts";

/** The rules of one directory and those above it. A rule of a deeper file beats one further up. */
export type IgnoreRules = {
  /** `path` is resolved; `isDirectory` decides about rules that end with a slash. */
  ignores(path: string, isDirectory: boolean): boolean;
  /** These rules and those of one more `.gitignore`, which stands in `directory`. */
  with(directory: string, gitignore: string): IgnoreRules;
};

/** What some rules say of a path; undefined when none names it. */
type Verdict = "ignored" | "unignored" | undefined;

type Layer = { readonly directory: string; readonly verdict: (path: string, isDirectory: boolean) => Verdict };

/** A path as seen from a directory, or undefined when it is not below it. */
const pathBelow = (directory: string, path: string): string | undefined => {
  if (directory === ".") return path;
  return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : undefined;
};

const rulesOf = (layers: readonly Layer[]): IgnoreRules => ({
  ignores: (path, isDirectory) => {
    for (const { directory, verdict } of layers) {
      const below = pathBelow(directory, path);
      const said = below === undefined ? undefined : verdict(below, isDirectory);
      if (said !== undefined) return said === "ignored";
    }
    return false;
  },
  with: (directory, gitignore) => rulesOf([{ directory, verdict: verdictsOf(gitignore) }, ...layers]),
});

/** Directories whose verdict is remembered, of each file of rules: a walk asks for one after the other. */
const MAX_KNOWN = 1_000;

/** What a `.gitignore` says of paths below it. Nothing in a directory that is ignored can be brought back. */
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

/** The patterns come with the last line first: the first that names a path decides. */
const lastWord = (patterns: readonly IgnorePattern[], path: string, name: string, isDirectory: boolean): Verdict => {
  for (const pattern of patterns) {
    if ((isDirectory || !pattern.isForDirectories) && pattern.names(path, name)) {
      return pattern.isNegative ? "unignored" : "ignored";
    }
  }
  return undefined;
};

/** Rules that name nothing. */
export const NO_RULES: IgnoreRules = rulesOf([]);

/**
 * Whether a path below `directory` is named by a glob, which is one line of a `.gitignore` there; none names all.
 *
 * @throws {WorkspaceError} `invalid` for one that is longer, or has more wildcards, than any tree needs.
 */
export const globMatcher = (glob: string | undefined, directory: string): ((path: string) => boolean) => {
  if (glob === undefined) return () => true;
  if (isAbsurd(glob)) {
    throw new WorkspaceError(
      "invalid",
      `The glob ${showPath(glob)} is too much: use at most ${MAX_PATTERN_LENGTH} characters and ${MAX_WILDCARDS} wildcards.`,
    );
  }
  const verdict = verdictsOf(glob.replace(/^[!#]/, "\\$&"));
  return (path) => {
    const below = pathBelow(directory, path);
    return below !== undefined && verdict(below, false) === "ignored";
  };
};
