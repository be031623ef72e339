/** Measures the search of a large directory: bare ripgrep and the host workspace take turns. */
import { median } from "./measures.ts";
import type { Result } from "./report.ts";
import type { Stops } from "./stops.ts";
import { startWorkspaces, type WorkspaceSubject } from "./workspace-subjects.ts";

/** Searches of each side in a round. */
const SEARCHES = 20;

/** Runs `rounds` rounds after one that warms up. Says in a line when there is no ripgrep to compare with. */
export const benchSearch = async (rounds: number, stops: Stops): Promise<Result[]> => {
  const subjects = await startWorkspaces();
  if (subjects === undefined) {
    process.stderr.write("search: left out, since there is no ripgrep (rg) on the PATH\n");
    return [];
  }
  for (const subject of subjects) stops.add(subject.stop);
  const samples: Result["samples"] = { floor: [], product: [] };
  for (let round = 0; round <= rounds; round += 1) {
    process.stderr.write(`search, round ${round} of ${rounds}\n`);
    for (const [name, durationMs] of await measureRound(subjects)) if (round > 0) samples[name].push(durationMs);
  }
  const bound = { of: "floor", is: "at most", value: 2 } as const;
  return [{ budget: { name: "search of 20,000 files, p50", unit: "ms", bound }, samples }];
};

/** Search by search in turns: what else the machine does meets both sides. */
const measureRound = async (
  subjects: readonly WorkspaceSubject[],
): Promise<readonly (readonly [WorkspaceSubject["name"], number])[]> => {
  const durations = subjects.map(({ name }): { name: WorkspaceSubject["name"]; taken: number[] } => ({
    name,
    taken: [],
  }));
  for (let search = 0; search < SEARCHES; search += 1) {
    for (const [index, subject] of subjects.entries()) {
      const startMs = performance.now();
      await subject.search();
      durations[index]?.taken.push(performance.now() - startMs);
    }
  }
  return durations.map(({ name, taken }) => [name, median(taken)] as const);
};
