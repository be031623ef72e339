/** Whether a source takes a key: asked once, before it is stored. */
import type { QuoteSourceId } from "../contract/settings/price-settings.ts";
import type { Env } from "../env.ts";
import { fetchJson } from "./fetch-json.ts";
import { accessTo } from "./find-access.ts";
import { loadSource } from "./load-source.ts";

/** A listing that every plan has. */
const PROBE = { symbol: "AAPL", mic: "XNAS", currency: "USD" } as const;

/** Why a key is not taken, in words for its person; undefined when it is. One whose budget is used up is. */
export const keyProblem = async (env: Env, id: QuoteSourceId, key: string): Promise<string | undefined> => {
  const source = await loadSource(id);
  const probe = { ...PROBE, symbol: source.symbolOf(PROBE.symbol, PROBE.mic) ?? PROBE.symbol };
  const answer = await fetchJson(source.quotesRequest([probe], accessTo(env, id, key))).catch(() => undefined);
  const [result] = answer === undefined ? [] : source.readQuotes([probe], answer);
  if (result === undefined || ("refused" in result && result.refused === "down"))
    return "the source does not answer. Try again.";
  return "refused" in result && result.refused === "auth" ? "the source refuses this key." : undefined;
};
