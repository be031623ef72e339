/** A block of an unknown kind while it streams: everything is kept, so that it can be sent back unchanged. */
import { parseJson, tryParseJson } from "../contract/parse-json.ts";
import type { OpaqueBlock } from "./messages.ts";

type Fields = Readonly<Record<string, unknown>>;

export class GrowingOpaqueBlock {
  readonly #block: OpaqueBlock["block"];
  #json = "";

  constructor(start: OpaqueBlock["block"]) {
    this.#block = { ...start };
  }

  /** Adds a delta of any kind: texts are appended, a call's input is collected, anything else is set. */
  add({ type, ...fields }: Fields): void {
    if (type === "input_json_delta") {
      this.#json += String(fields.partial_json ?? "");
      return;
    }
    for (const [key, value] of Object.entries(fields)) {
      const known = this.#block[key];
      this.#block[key] = typeof known === "string" && typeof value === "string" ? known + value : value;
    }
  }

  /** Whether a call's input, as far as it has arrived, is not JSON. */
  get isBroken(): boolean {
    return this.#json !== "" && tryParseJson(this.#json) === undefined;
  }

  /** The block so far. @throws {SyntaxError} when a call's input is not JSON. */
  get block(): OpaqueBlock {
    const input = this.#json === "" ? {} : { input: parseJson(this.#json) };
    return { type: "opaque", block: { ...this.#block, ...input } };
  }
}
