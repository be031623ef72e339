/** Markets as charting and finance sites write them before a symbol, and their codes (ISO 10383). */

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

/** The market code of a prefix or of a code itself, in any case; undefined when it is not known for certain. */
export const marketCode = (prefix: string): string | undefined => {
  const name = prefix.trim().toUpperCase();
  return MARKETS.get(name) ?? (CODES.has(name) || /^X[A-Z0-9]{3}$/.test(name) ? name : undefined);
};
