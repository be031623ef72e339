/** Text on its way to a model: how much of a tool's output the model is given, and what keeps other people's text in its place. */
import { cutText } from "../contract/plain-text.ts";

/** Most tool output of one message, and so of one call, in UTF-8 bytes (run.md, The conversation). */
export const MAX_OUTPUT_BYTES = 256_000;

/** Marks where an output was cut, and says how to go on: a read that is only repeated is cut again. */
const CUT_MARK = "\n[cut: the rest is left out. Read less at once: a smaller limit, or one call at a time]";

const encoder = new TextEncoder();

/** Length in UTF-8 bytes. */
export const bytesOf = (text: string): number => encoder.encode(text).byteLength;

/** The output, cut to `maxBytes` of UTF-8 with a mark that says so; never in the middle of a character. */
export const cutOutput = (output: string, maxBytes: number, mark = CUT_MARK): string => {
  if (bytesOf(output) <= maxBytes) return output;
  const { read } = encoder.encodeInto(output, new Uint8Array(Math.max(0, maxBytes - bytesOf(mark))));
  return output.slice(0, read) + mark;
};

/** The outputs, cut so that together they have at most `maxBytes` of UTF-8: long ones share what short ones leave. */
export const cutOutputs = (outputs: readonly string[], maxBytes: number): string[] => {
  const share = shareOf(outputs.map(bytesOf), maxBytes);
  return outputs.map((output) => cutOutput(output, share));
};

/** How many bytes each of these may have. */
const shareOf = (sizes: readonly number[], maxBytes: number): number => {
  let room = maxBytes;
  let left = sizes.length;
  for (const size of sizes.toSorted((a, b) => a - b)) {
    if (size > room / left) return Math.floor(room / left);
    room -= size;
    left -= 1;
  }
  return maxBytes;
};

/** How much of an unknown tool's name is repeated, in UTF-16 units: more than any of our names has. */
const MAX_NAME_LENGTH = 64;

/** Lists the existing tools for a model that invented a name, in the order in which it knows them. */
export const unknownTool = (name: string, tools: readonly string[]): string =>
  `There is no tool named ${cutText(name.toWellFormed(), MAX_NAME_LENGTH)}. The tools are: ${tools.join(", ")}.`;

/** Separates a refusal from the words of the person who refused. */
export const THEY_SAID = " They said: ";

/**
 * Keeps text of files, screens and other people inside the tags that we put around it for a model: it can neither open nor close one of
 * them.
 */
export const fence = (text: string): string => text.replace(/<(?=[\s/]*(?:data|context|instructions)\b)/gi, "\\u003c");
