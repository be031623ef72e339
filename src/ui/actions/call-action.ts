/** The actions as functions, typed from the contract (spec §4.4). Reads go by GET, so that the page can preload one. */
import type { ActionInput, ActionName, ActionOutput, ReadName, WriteName } from "../../contract/action.ts";
import { actionPath } from "../../contract/action-path.ts";
import { requestJson } from "./request-json.ts";

/**
 * The answer of a read.
 *
 * @throws {ApiError} with the server's words.
 */
export const readAction = async <Name extends ReadName>(
  name: Name,
  input: ActionInput<Name>,
  signal?: AbortSignal,
): Promise<ActionOutput<Name>> => await requestJson(`${actionPath(name)}${queryOf(input)}`, { signal });

/**
 * Runs a write; `via` is what the stock's history will name. Give writes that may be sent twice an `idempotencyKey`.
 *
 * @throws {ApiError} with the server's words.
 */
export const runAction = async <Name extends WriteName>(
  name: Name,
  input: ActionInput<Name>,
  { via = "screen" }: { readonly via?: "screen" | "import" } = {},
): Promise<ActionOutput<Name>> =>
  await requestJson(actionPath(name), {
    method: "POST",
    body: input,
    ...(via === "import" ? { headers: { "x-updated-via": via } } : {}),
  });

/** Numbers and booleans as text, lists as repeated keys (CONTRACT §2). */
const queryOf = (input: ActionInput<ActionName>): string => {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (part !== undefined) query.append(key, String(part));
    }
  }
  return query.size === 0 ? "" : `?${query}`;
};
