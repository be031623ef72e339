/**
 * A conversation as the release before versions held it with the provider: date and screen in the system prompt's second part,
 * other tools, prompts without a context. What the model thought in it is signed over that.
 */
import { inject } from "vitest";
import { message, thought, toolUse } from "../../model-script.ts";
import { type ScriptedModel, scriptModel } from "../../scripted-model.ts";
import { VendorTalk } from "../../vendor-talk.ts";

/** The model that answered. */
export const EARLIER_MODEL = "claude-sonnet-5-5";

const EARLIER_REQUEST = {
  system: [
    { type: "text" as const, text: "You are the agent of Tally." },
    { type: "text" as const, text: "Today is 2026-11-20 (UTC).\nThe person's screen is not known." },
  ],
  tools: [
    { name: "list-stocks", description: "Lists the stocks.", input_schema: { type: "object" as const } },
    { name: "add-stock", description: "Adds a stock.", input_schema: { type: "object" as const } },
  ],
};

/** A message as it was stored: its blocks have the fields that the release knew. */
export type EarlierMessage = { readonly role: string; readonly content: readonly Readonly<Record<string, unknown>>[] };

const KNOWN_FIELDS = ["type", "text", "thinking", "signature", "id", "name", "input", "tool_use_id", "content"];

const stored = ({ role, content }: EarlierMessage): EarlierMessage => ({
  role,
  content: content.map((block) =>
    Object.fromEntries(Object.entries(block).filter(([name]) => KNOWN_FIELDS.includes(name))),
  ),
});

/** Talks as that release did. `model` also answers what comes later. */
export const earlierTalk = async () => {
  const model: ScriptedModel = await scriptModel(inject("modelUrl"), []);
  const talk = new VendorTalk(inject("modelUrl"), model, EARLIER_REQUEST);
  /** What was said since, as it was stored. */
  const said = (since: number): EarlierMessage[] => talk.messages.slice(since).map(stored);
  return {
    model,
    /** A turn that thinks, looks at the list, thinks and answers; `padding` makes its result long. */
    turn: async (nth: number, padding = ""): Promise<EarlierMessage[]> => {
      const since = talk.messages.length;
      const id = `toolu_earlier_${nth}`;
      await model.add([
        message([thought("Hm."), toolUse({ name: "list-stocks", input: {}, id })]),
        message([thought("So."), { type: "text", text: `Answer ${nth}.` }]),
      ]);
      await talk.ask(`Question ${nth}`);
      talk.messages.push({
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: `{"total":0}${padding}` }],
      });
      talk.keep(await talk.send());
      return said(since);
    },
    /** A turn that has reached a call that needs permission. */
    asking: async (symbol: string): Promise<EarlierMessage[]> => {
      const since = talk.messages.length;
      await model.add([
        message([thought("I add it."), toolUse({ name: "add-stock", input: { symbol }, id: "toolu_earlier" })]),
      ]);
      await talk.ask(`Add ${symbol}`);
      return said(since);
    },
    messages: (): EarlierMessage[] => said(0),
  };
};

export type EarlierTalk = Awaited<ReturnType<typeof earlierTalk>>;
