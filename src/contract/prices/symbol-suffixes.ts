/** The endings by which finance sites name a market, `SAP.DE`: its code (ISO 10383) and the currency it trades in. */

const TABLE = `
  L XLON GBX, IL XLON USD, IR XDUB EUR, DE XETR EUR, F XFRA EUR, BE XBER EUR, DU XDUS EUR, HM XHAM EUR, HA XHAN EUR,
  MU XMUN EUR, SG XSTU EUR, PA XPAR EUR, AS XAMS EUR, BR XBRU EUR, LS XLIS EUR, MI XMIL EUR, MC XMAD EUR, VI XWBO EUR,
  SW XSWX CHF, ST XSTO SEK, CO XCSE DKK, OL XOSL NOK, HE XHEL EUR, IC XICE ISK, WA XWAR PLN, PR XPRA CZK, BD XBUD HUF,
  AT XATH EUR, TL XTAL EUR, RG XRIS EUR, VS XLIT EUR, RO XBSE RON, IS XIST TRY, TA XTAE ILA, CA XCAI EGP, JO XJSE ZAC,
  SR XSAU SAR, NS XNSE INR, BO XBOM INR, HK XHKG HKD, SS XSHG CNY, SZ XSHE CNY, TW XTAI TWD, TWO ROCO TWD, KS XKRX KRW,
  KQ XKOS KRW, T XTKS JPY, SI XSES SGD, KL XKLS MYR, BK XBKK THB, JK XIDX IDR, VN XSTC VND, AX XASX AUD, NZ XNZE NZD,
  TO XTSE CAD, V XTSX CAD, CN XCNQ CAD, NE NEOE CAD, SA BVMF BRL, MX XMEX MXN, BA XBUE ARS, SN XSGO CLP`;

const MARKETS: ReadonlyMap<string, readonly [exchange: string, currency: string]> = new Map(
  TABLE.split(",").map((row) => {
    const [suffix = "", exchange = "", currency = ""] = row.trim().split(" ");
    return [suffix, [exchange, currency]];
  }),
);

/** London quotes in pence, but it quotes these well-known funds in pounds or dollars. */
const NOT_IN_PENCE: ReadonlyMap<string, string> = new Map([
  ..."VUSA VUAG VWRL VWRP VHYL VHYG VEVE VHVG VUKE VUKG VMID VMIG VFEM VFEG VJPN VJPB VAPX VEUR VERX VERG VNRT VNRG VGOV"
    .split(" ")
    .map((symbol) => [symbol, "GBP"] as const),
  ..."CSPX CNDX IWDA EIMI IDTL IB01 VUSD VUAA VWRD VWRA VHYD VDEM IGLN"
    .split(" ")
    .map((symbol) => [symbol, "USD"] as const),
]);

/** Listings in another currency, by number or letter: Canada's units in US dollars, China's B shares, Hong Kong's shares in renminbi. */
const IN_ANOTHER: readonly (readonly [markets: string, symbols: RegExp, currency: string])[] = [
  ["XTSE XTSX NEOE XCNQ", /.[.-]U$/, "USD"],
  ["XSHG", /^900\d{3}$/, "USD"],
  ["XSHE", /^20\d{4}$/, "HKD"],
  ["XHKG", /^8\d{4}$/, "CNY"],
];

/** The currency of a symbol without its ending. */
const currencyOn = (exchange: string, base: string, usual: string): string =>
  (exchange === "XLON" && usual === "GBX" ? NOT_IN_PENCE.get(base) : undefined) ??
  IN_ANOTHER.find(([markets, symbols]) => markets.includes(exchange) && symbols.test(base))?.[2] ??
  usual;

/** What the ending of a symbol, or the market named beside it, says of it. A guess: a market has listings in other currencies, too. */
export type SuffixGuess = { readonly suffix: string; readonly exchange: string; readonly currency: string };

/**
 * The market and the currency that the ending of an upper-case symbol names; undefined for an ending that names no market, such as
 * the class of a share in `BRK.B` or the series of a preferred one in `BAC.PR.L`. Tokyo's codes begin with a digit, so `X.T` is not
 * one of them.
 */
export const guessBySuffix = (symbol: string): SuffixGuess | undefined => {
  const [, base = "", suffix = ""] = /^(.+)\.([A-Z]{1,3})$/.exec(symbol) ?? [];
  const market = MARKETS.get(suffix);
  if (market === undefined || base.endsWith(".PR") || (suffix === "T" && !/^\d/.test(base))) return undefined;
  const [exchange, usual] = market;
  return { suffix: `.${suffix}`, exchange, currency: currencyOn(exchange, base, usual) };
};

/** The same guess for a symbol whose market is named beside it. */
export const guessByMarket = (symbol: string, exchange: string): SuffixGuess | undefined => {
  const [, usual] = [...MARKETS.values()].find(([code]) => code === exchange) ?? [];
  if (usual === undefined) return undefined;
  return { suffix: exchange, exchange, currency: currencyOn(exchange, withoutSuffix(symbol, exchange), usual) };
};

/** The symbol as the market itself writes it: without an ending that names `exchange`, or, by default, one that names any market. */
export const withoutSuffix = (symbol: string, exchange?: string): string => {
  const guess = guessBySuffix(symbol);
  return guess && (exchange ?? guess.exchange) === guess.exchange ? symbol.slice(0, -guess.suffix.length) : symbol;
};
