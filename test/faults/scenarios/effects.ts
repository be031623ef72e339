/** What turns have done to stocks and files, held against what their transcripts say. */
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { callsOf, type Plan, type Surroundings } from "./scenario.ts";

type Problems = NonNullable<Plan["problems"]>;

const Command = z.object({ command: z.string() });
const Written = z.object({ path: z.string(), content: z.string() });
const Stocks = z.object({ items: z.array(z.object({ symbol: z.string(), version: z.int(), updatedVia: z.string() })) });
const Named = z.object({ symbol: z.string() });

/** Live stocks whose symbol begins so. */
export const stocksNamed = async (prefix: string, { site }: Surroundings) =>
  (await site.read(Stocks, "/_framework/actions/list-stocks", { q: prefix, limit: 200 })).items.filter(({ symbol }) =>
    symbol.startsWith(prefix),
  );

/** Stocks that the transcript says were added, against those that are there: each once. */
export const addProblems =
  (prefix: string): Problems =>
  async (turns, around) => {
    const calls = turns.flatMap(({ events }) => callsOf(events, "add-stock"));
    const said = calls
      .filter(({ status }) => status === "completed")
      .map(({ input }) => Named.parse(input).symbol)
      .toSorted();
    const there = await stocksNamed(prefix, around);
    const symbols = there.map(({ symbol }) => symbol).toSorted();
    return [
      ...(said.join() === symbols.join() ? [] : [`added as said: ${said.join()}; in the list: ${symbols.join()}`]),
      ...there.filter(({ version }) => version !== 1).map(({ symbol }) => `${symbol} was written more than once`),
      ...calls.filter(({ status }) => status === "unknown").map(() => "an action ended unknown"),
    ];
  };

/** A text file, or undefined when it is not there. */
export const contentOf = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(() => undefined);

/** Commands of the form `echo lineN >> log; …`: no line is there twice, and each that is said to be done is there. */
export const commandProblems =
  (log: string): Problems =>
  async (turns, { workspaceDir }) => {
    const lines = ((await contentOf(join(workspaceDir, log))) ?? "").split("\n");
    return turns
      .flatMap(({ events }) => callsOf(events, "run_shell"))
      .flatMap(({ input, status }) => {
        const line = /echo (line\d)/.exec(Command.parse(input).command)?.[1] ?? "";
        const count = lines.filter((one) => one === line).length;
        const isTrue = status === "completed" ? count === 1 : count <= (status === "unknown" ? 1 : 0);
        return isTrue ? [] : [`${line} is there ${count} times though its call ended ${status}`];
      });
  };

/** Files that `write_file` made below `dir`, whole or not at all, as said; and nothing beside them. */
export const writeProblems =
  (dir: string): Problems =>
  async (turns, { workspaceDir }) => {
    const calls = turns.flatMap(({ events }) => callsOf(events, "write_file"));
    const written = calls.map(({ input, status }) => ({ ...Written.parse(input), status }));
    const there = await readdir(join(workspaceDir, dir)).catch(() => []);
    const known = written.map(({ path }) => basename(path));
    const wrong = await Promise.all(
      written.map(async ({ path, content, status }) => {
        const found = await contentOf(join(workspaceDir, path));
        const mayBeThere = status === "completed" || status === "unknown";
        const mayBeAbsent = status !== "completed";
        const isTrue = found === undefined ? mayBeAbsent : mayBeThere && found === content;
        return isTrue ? [] : [`${path} has ${found?.length} characters though its call ended ${status}`];
      }),
    );
    return [...wrong.flat(), ...there.filter((name) => !known.includes(name)).map((name) => `${name} was left behind`)];
  };
