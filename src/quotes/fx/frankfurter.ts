/** The ECB's reference rates from Frankfurter (https://frankfurter.dev), which needs no key: one request, and how its answer is read. */
import * as z from "zod";
import type { EuroRates } from "../../contract/prices/euro-rates.ts";
import { serviceUrl } from "../../contract/prices/service-url.ts";
import { readDecimal, type ServiceAnswer, type ServiceRequest } from "../fetch-json.ts";

const FRANKFURTER_URL = "https://api.frankfurter.dev";

/** All rates of the newest day. */
export const ratesRequest = (baseUrl: string | undefined): ServiceRequest => ({
  url: `${serviceUrl(FRANKFURTER_URL, baseUrl)}/v2/rates?base=EUR&providers=ecb`,
});

const Rate = z.object({
  date: z.iso.date(),
  base: z.literal("EUR"),
  quote: z.string().regex(/^[A-Z]{3}$/),
  rate: z.unknown().optional().transform(readDecimal),
});

/**
 * The rates of the newest day in the answer. A rate that cannot be read, or is of an earlier day, is left out: its currency then
 * counts as missing. Undefined when nothing is left.
 */
export const readRates = ({ status, body }: ServiceAnswer): EuroRates | undefined => {
  if (status !== 200 || !Array.isArray(body)) return undefined;
  const read = body.flatMap((item: unknown) => Rate.safeParse(item).data ?? []);
  const day = read
    .map(({ date }) => date)
    .sort()
    .at(-1);
  if (day === undefined) return undefined;
  const known = read.flatMap(({ date, quote, rate }) => (date === day && rate !== undefined ? [[quote, rate]] : []));
  return known.length === 0 ? undefined : { day, rates: Object.fromEntries(known) };
};
