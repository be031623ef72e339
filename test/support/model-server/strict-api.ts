/** The API's side of a conversation: admits or refuses requests by all rules, and makes the answers they are held to. */
import { MadeBlocks } from "./made-blocks.ts";
import { refusalOf } from "./messages-api-rules.ts";
import { OutgoingMessage } from "./outgoing-message.ts";
import { callOf } from "./rules/call.ts";
import { type MessagesRequest, parseRequest } from "./rules/request-shape.ts";
import { invalid, type Refusal, type RuleName } from "./rules/rule.ts";
import { readThinking } from "./rules/thinking-blocks.ts";

/** A request that is refused, or the message that will answer it. */
export type Admission =
  | { readonly refusal: Refusal; readonly message?: undefined }
  | { readonly refusal?: undefined; readonly request: MessagesRequest; readonly message: OutgoingMessage };

const NONE: ReadonlySet<RuleName> = new Set();

/** What one server remembers. */
export class StrictApi {
  readonly #made = new MadeBlocks();

  /** Holds a request to the rules that are not `off`. */
  admit(headers: Readonly<Record<string, string>>, body: unknown, off: ReadonlySet<RuleName> = NONE): Admission {
    const request = parseRequest(body);
    if (typeof request === "string") return { refusal: invalid(request) };
    const call = callOf(headers, request, this.#made);
    const refusal = refusalOf(call, off);
    if (refusal !== undefined) return { refusal };
    const thinking = readThinking(call, this.#made, off);
    if (thinking.refusal !== undefined) return { refusal: thinking.refusal };
    return { request, message: new OutgoingMessage(call, this.#made, thinking.read, thinking.transformations) };
  }
}
