/** Which paths `.gitignore` files and a glob name, by the rules of git itself (gitignore(5)). */
import ignore from "ignore";

/** Case counts, as for git on Linux: the same tree gives the same list everywhere. */
const OPTIONS = { ignorecase: false };

/** The rules of one directory and those above it. A rule of a deeper file beats one further up. */
export type IgnoreRules = {
  /** `path` is resolved; `isDirectory` decides about rules that end with a slash. */
  ignores(path: string, isDirectory: boolean): boolean;
  /** These rules and those of one more `.gitignore`, which stands in `directory`. */
  with(directory: string, gitignore: string): IgnoreRules;
};

type Layer = { readonly directory: string; readonly rules: ignore.Ignore };

/** A path as seen from a directory, or undefined when it is not below it. */
const pathBelow = (directory: string, path: string): string | undefined => {
  if (directory === ".") return path;
  return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : undefined;
};

const rulesOf = (layers: readonly Layer[]): IgnoreRules => ({
  ignores: (path, isDirectory) => {
    for (const { directory, rules } of layers) {
      const below = pathBelow(directory, path);
      if (below === undefined) continue;
      const result = rules.test(isDirectory ? `${below}/` : below);
      if (result.ignored || result.unignored) return result.ignored;
    }
    return false;
  },
  with: (directory, gitignore) => rulesOf([{ directory, rules: ignore(OPTIONS).add(gitignore) }, ...layers]),
});

/** Rules that name nothing. */
export const NO_RULES: IgnoreRules = rulesOf([]);

/** Whether a path below `directory` is named by a glob, which is one line of a `.gitignore` there; none names all. */
export const globMatcher = (glob: string | undefined, directory: string): ((path: string) => boolean) => {
  if (glob === undefined) return () => true;
  const rules = ignore(OPTIONS).add(glob.replace(/^[!#]/, "\\$&"));
  return (path) => {
    const below = pathBelow(directory, path);
    return below !== undefined && rules.ignores(below);
  };
};
