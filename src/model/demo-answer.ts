/** What the demo model says: about itself, and about what a tool gave back. */
import type { z } from "zod";
import { GetStockOutput } from "../contract/get-stock.ts";
import { ListStocksOutput } from "../contract/list-stocks.ts";
import { UpdateStockOutput } from "../contract/update-stock.ts";
import { ViewScreenOutput } from "../contract/view-screen.ts";
import type { DoneCall } from "./demo-conversation.ts";
import { describeStock, fenced, listStocks, quoted } from "./demo-wording.ts";

/** Said once in each conversation. */
export const DEMO_INTRODUCTION =
  "I am the demo model: no model credential is set, so I only understand plain requests, but the tools I use are real.";

/** Said when it is asked what it can do. */
export const DEMO_HELP =
  'I understand, for example: "add 10 AAPL at 180", "watch NVDA below 120", "what do I own", "show my watchlist", "which targets are hit", "what changed", "set AAPL target low 150", "delete TSLA", "open AAPL", "what am I looking at", "list files", "read notes.md", "search TODO", "write notes.md: hello" and "run ls".';

/** Said to anything that is not understood. */
export const DEMO_NOT_UNDERSTOOD = `I did not understand that. ${DEMO_HELP}`;

/** A tool's output by its contract; undefined when it is no such JSON, for example because it was cut. */
export const parseOutput = <Schema extends z.ZodType>(schema: Schema, output: string): z.infer<Schema> | undefined => {
  // The output may stand in a fence that marks it as data.
  const json = output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1);
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    // Not JSON: the caller shows it as it is.
    return undefined;
  }
};

/** Each tool's result in words. Undefined when the output is not what the tool promises. */
const WORDS: Readonly<Record<string, (call: DoneCall) => string | undefined>> = {
  "add-stock": ({ output }) => describeResult("Added", output),
  "update-stock": ({ output }) => describeResult("Changed", output),
  "get-stock": ({ output }) => {
    const found = parseOutput(GetStockOutput, output);
    return found && describeStock(found.stock);
  },
  "list-stocks": ({ output }) => {
    const found = parseOutput(ListStocksOutput, output);
    return found && listStocks(found);
  },
  "delete-stock": () => "Deleted. It stays in the trash for 30 days.",
  "view-screen": ({ output }) => {
    const found = parseOutput(ViewScreenOutput, output);
    return found && (found.open === null ? found.summary : `${found.summary}\n\nOpen: ${describeStock(found.open)}`);
  },
  navigate: () => "Done.",
  read_file: ({ input, output }) => `This is \`${input.path}\`:\n\n${fenced(output)}`,
  list_files: ({ output }) => `These are the files:\n\n${fenced(output)}`,
  search_files: ({ output }) => `I found:\n\n${fenced(output)}`,
  write_file: ({ input }) => `I wrote \`${input.path}\`.`,
  delete_file: ({ input }) => `I deleted \`${input.path}\`.`,
  run_shell: ({ output }) => `The command gave:\n\n${fenced(output)}`,
};

const describeResult = (verb: string, output: string): string | undefined => {
  const parsed = parseOutput(UpdateStockOutput, output);
  return parsed && `${verb}: ${describeStock(parsed.stock)}`;
};

/** The answer to a call's result: in words, or the tool's own text when it failed, was rejected or cannot be read. */
export const answerTo = (call: DoneCall): string => {
  if (call.isError) return `That did not work: ${quoted(call.output)}`;
  return WORDS[call.tool]?.(call) ?? fenced(call.output);
};
