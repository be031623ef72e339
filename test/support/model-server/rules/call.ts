/** One request under examination: what the rules look at. */
import type { MadeBlocks } from "../made-blocks.ts";
import { type KnownModel, modelOf } from "../model-catalog.ts";
import type { MessagesRequest } from "./request-shape.ts";

/** A request, its headers, and what the server remembers. `made` is missing where a request is checked on its own. */
export type Call = {
  readonly headers: Readonly<Record<string, string>>;
  readonly betas: ReadonlySet<string>;
  readonly request: MessagesRequest;
  readonly model: KnownModel | undefined;
  readonly made: MadeBlocks | undefined;
};

/** The values of the `anthropic-beta` header. */
export const betasOf = (headers: Readonly<Record<string, string>>): Set<string> =>
  new Set(
    (headers["anthropic-beta"] ?? "")
      .split(",")
      .map((value) => value.trim())
      .filter((value) => value !== ""),
  );

/** Puts a call together. */
export const callOf = (
  headers: Readonly<Record<string, string>>,
  request: MessagesRequest,
  made?: MadeBlocks,
): Call => ({ headers, betas: betasOf(headers), request, model: modelOf(request.model), made });
