/**
 * What every workspace does alike, whatever is behind it. Only the interface is used: each implementation's test says how
 * an empty one is opened, and, where it has links and pipes, how they are made.
 */
import { describe } from "vitest";
import { describeCommands } from "./workspace/command-cases.ts";
import { describeConditions } from "./workspace/condition-cases.ts";
import { describeFiles } from "./workspace/file-cases.ts";
import { describeLists } from "./workspace/list-cases.ts";
import { describePaths } from "./workspace/path-cases.ts";
import { describePlanted } from "./workspace/planted-cases.ts";
import { describeSearches } from "./workspace/search-cases.ts";
import type { Open, OpenPlanted } from "./workspace/workspace-under-test.ts";

/** Registers the suite. `openPlanted` is left out by a workspace that has files and directories alone. */
export const describeWorkspace = (name: string, open: Open, openPlanted?: OpenPlanted): void => {
  describe(name, () => {
    describePaths(open);
    describeFiles(open);
    describeConditions(open);
    describeLists(open);
    describeSearches(open);
    describeCommands(open);
    if (openPlanted !== undefined) describePlanted(openPlanted);
  });
};

/** Registers the part that depends on how a workspace searches, for one that does all else as one that had the whole suite. */
export const describeWorkspaceSearches = (name: string, open: OpenPlanted): void => {
  describe(name, () => {
    describeSearches(open);
    describePlanted(open);
  });
};
