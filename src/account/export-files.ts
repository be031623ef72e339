/** The files of a person's durable workspace, for an export. */
import type { OwnerEmail } from "../contract/ids.ts";
import type { Env } from "../env.ts";
import { reach } from "../run/reach.ts";
import { workspaceObjectOf } from "../workspace/durable-workspace.ts";

/** Each file as JSON: `{path, text}`, or `{path, base64}` for what is not UTF-8. One is in memory at a time. */
export async function* exportFiles(env: Env, owner: OwnerEmail): AsyncGenerator<string> {
  const paths = await reach(async () => await (await workspaceObjectOf(env.WORKSPACES, owner)).everyPath());
  for (const path of paths) {
    const bytes = await reach(async () => await (await workspaceObjectOf(env.WORKSPACES, owner)).wholeFile(path));
    if (bytes !== null) yield JSON.stringify({ path, ...contentOf(bytes) });
  }
}

const contentOf = (bytes: Uint8Array): { readonly text: string } | { readonly base64: string } => {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    // Not UTF-8.
    return { base64: base64Of(bytes) };
  }
};

/** Bytes turned into characters at once: more would be too many arguments of one call. */
const SLICE_BYTES = 32_768;

const base64Of = (bytes: Uint8Array): string => {
  let characters = "";
  for (let start = 0; start < bytes.byteLength; start += SLICE_BYTES) {
    characters += String.fromCharCode(...bytes.subarray(start, start + SLICE_BYTES));
  }
  return btoa(characters);
};
