/** A conversation with a model server over the vendor's own client: an independent reader of what our server sends. */
import Anthropic from "@anthropic-ai/sdk";
import type {
  BetaMessage,
  BetaMessageParam,
  MessageCreateParamsStreaming,
} from "@anthropic-ai/sdk/resources/beta/messages";
import { z } from "zod";
import type { ScriptedModel } from "./scripted-model.ts";

/** A message as tests edit it: they also send what the client's types would not let through. */
export type TalkMessage = { role: string; content: readonly Readonly<Record<string, unknown>>[] };

const asParams = z.custom<BetaMessageParam[]>();

/** What a request may say beside its messages. */
export type Saying = Partial<Omit<MessageCreateParamsStreaming, "messages" | "stream">>;

/** The client; `credential` is sent as a Bearer token, as this client does. It never tries again. */
export const vendorClient = (baseURL: string, credential = "test-key"): Anthropic =>
  new Anthropic({ apiKey: credential, baseURL, maxRetries: 0, logLevel: "off", openTelemetry: false });

/** A user message of one text. */
export const user = (text: string): TalkMessage => ({ role: "user", content: [{ type: "text", text }] });

/** One conversation. Tests edit `messages` to see what the server says to that. */
export class VendorTalk {
  messages: TalkMessage[] = [];
  readonly #client: Anthropic;
  readonly #script: ScriptedModel;
  readonly #always: Saying;

  /** `always` is sent with every request. */
  constructor(baseUrl: string, script: ScriptedModel, always: Saying = {}) {
    this.#client = vendorClient(baseUrl);
    this.#script = script;
    this.#always = always;
  }

  /** Says a text, and keeps both it and the answer. */
  async ask(text: string, also: Saying = {}): Promise<BetaMessage> {
    this.messages.push(user(this.#script.prompt(text)));
    const answer = await this.send(also);
    this.keep(answer);
    return answer;
  }

  /** Sends the messages as they are. */
  send(also: Saying = {}): Promise<BetaMessage> {
    const messages = asParams.parse(this.messages);
    return this.#client.beta.messages
      .stream({ model: "claude-sonnet-5-5", max_tokens: 1_000, ...this.#always, ...also, messages })
      .finalMessage();
  }

  /** Adds an answer to the conversation, block by block as it came. */
  keep({ content }: BetaMessage): void {
    this.messages.push({ role: "assistant", content: content.map((block) => ({ ...block })) });
  }
}
