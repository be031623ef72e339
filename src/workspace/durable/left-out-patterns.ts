/**
 * Replaces minimatch in the deployed Worker (wrangler.toml, `[alias]`). Of just-bash, `ls` alone uses it, for a pattern that the shell has
 * left as it is. It would be matched against the shell's own tree in memory and never against a file of the workspace, whose paths are not
 * listed all at once (`ShellFileSystem.getAllPaths`). To a real `ls` it is a name like any other, so here it matches nothing either.
 */
export const minimatch = (): boolean => false;
