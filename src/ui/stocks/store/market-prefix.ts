/** Reads a symbol as people write it, with or without its market: `AAPL`, `NASDAQ:AAPL`. */
import { isSymbol, SYMBOL_REMEDY, symbolText } from "../../../contract/stocks/symbol-shape.ts";

/**
 * Prefixes that mean one market on every site. `EURONEXT` (six markets) and `TSE` (Toronto or Tokyo) are left out: a
 * wrong market would be a wrong stock.
 */
const MARKETS: ReadonlyMap<string, string> = new Map(
  `NASDAQ XNAS, NYSE XNYS, AMEX XASE, NYSEAMERICAN XASE, NYSEARCA ARCX, ARCA ARCX, BATS BATS, OTC OTCM, OTCMKTS OTCM,
   TSX XTSE, TSXV XTSX, CVE XTSX, LSE XLON, LON XLON, XETR XETR, ETR XETR, FWB XFRA, FRA XFRA, EPA XPAR, AMS XAMS,
   EBR XBRU, ELI XLIS, MIL XMIL, BIT XMIL, BME XMAD, SIX XSWX, SWX XSWX, VIE XWBO, GPW XWAR, OMXSTO XSTO, STO XSTO,
   OMXCOP XCSE, CPH XCSE, OMXHEX XHEL, HEL XHEL, OSL XOSL, JSE XJSE, TASE XTAE, NSE XNSE, BOM XBOM, BSE XBOM, HKEX XHKG,
   HKG XHKG, TYO XTKS, KRX XKRX, SHA XSHG, SSE XSHG, SZSE XSHE, SHE XSHE, TWSE XTAI, TPE XTAI, SGX XSES, ASX XASX,
   NZX XNZE, NZE XNZE, BMFBOVESPA BVMF, BVMF BVMF, BMV XMEX`
    .split(",")
    .map((pair) => pair.trim().split(" "))
    .map(([prefix = "", code = ""]) => [prefix, code]),
);

const CODES: ReadonlySet<string> = new Set(MARKETS.values());

/**
 * The code (ISO 10383) of a market as charting and finance sites write it before a symbol, or of the code itself, in any
 * case; undefined when it is not certain.
 */
export const marketCode = (prefix: string): string | undefined => {
  const name = prefix.trim().toUpperCase();
  return MARKETS.get(name) ?? (CODES.has(name) || /^X[A-Z0-9]{3}$/.test(name) ? name : undefined);
};

/** `note` says what was left out. A `problem` says what to write instead. */
type ListedSymbol =
  | { readonly symbol: string; readonly exchange: string | undefined; readonly note: string | undefined }
  | { readonly problem: string };

/** Splits the market off and checks the symbol. An unknown market is left out, not made up. */
export const readListedSymbol = (text: string): ListedSymbol => {
  const [, prefix, rest] = /^([^:]*):(.*)$/s.exec(text) ?? [undefined, undefined, text];
  const symbol = symbolText(rest ?? text);
  if (!isSymbol(symbol)) return { problem: `Symbol: ${SYMBOL_REMEDY}.` };
  if (prefix === undefined) return { symbol, exchange: undefined, note: undefined };
  const exchange = marketCode(prefix);
  const note =
    exchange === undefined
      ? `${prefix.slice(0, 20)} is not a known market code; the exchange is left empty.`
      : undefined;
  return { symbol, exchange, note };
};
