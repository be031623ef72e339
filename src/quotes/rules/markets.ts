/** Markets: their segments, time zones and hours. Our own table; holidays are not in it (decision 0101). */

/** Codes that sources name, most of them of segments, and the market that people know. */
const MARKET_OF_SEGMENT: ReadonlyMap<string, string> = new Map([
  ...["XNGS", "XNMS", "XNCM"].map((segment) => [segment, "XNAS"] as const),
  ["XASE", "XASE"],
  ["MTAA", "XMIL"],
  ["ETFP", "XMIL"],
  ["BMEX", "XMAD"],
  ["XETA", "XETR"],
  ["XETB", "XETR"],
  ["XLOM", "XLON"],
  ["AIMX", "XLON"],
  ["SSME", "XSTO"],
  // The exchange that Tokyo's market belongs to.
  ["XJPX", "XTKS"],
  ["DSME", "XCSE"],
  ["FSME", "XHEL"],
  ...["OTCB", "OTCQ", "PINX", "PSGM", "EXPM"].map((segment) => [segment, "OTCM"] as const),
]);

/** The market that a code belongs to. A code that is no known segment stands for itself. */
export const marketOf = (mic: string): string => MARKET_OF_SEGMENT.get(mic) ?? mic;

/**
 * Zone, opening and close in local time, and the markets that have them. São Paulo closes at 17:00, and from November to March shortly
 * before 18:00: a close that is too late does no harm. Mexico's clocks do not change, but its market keeps New York's hours all year.
 */
const HOURS = `
America/New_York 09:30 16:00 XNAS XNYS ARCX BATS XASE OTCM XMEX
America/Toronto 09:30 16:00 XTSE XTSX XCNQ NEOE
America/Sao_Paulo 10:00 18:00 BVMF
Europe/London 08:00 16:30 XLON
Europe/Dublin 08:00 16:30 XDUB
Europe/Lisbon 08:00 16:30 XLIS
Europe/Berlin 09:00 17:30 XETR
Europe/Berlin 08:00 22:00 XFRA XSTU XMUN XDUS XHAM XBER XGAT
Europe/Paris 09:00 17:30 XPAR
Europe/Amsterdam 09:00 17:30 XAMS
Europe/Brussels 09:00 17:30 XBRU
Europe/Madrid 09:00 17:30 XMAD
Europe/Rome 09:00 17:30 XMIL
Europe/Zurich 09:00 17:30 XSWX
Europe/Vienna 09:00 17:30 XWBO
Europe/Copenhagen 09:00 17:00 XCSE
Europe/Stockholm 09:00 17:30 XSTO
Europe/Oslo 09:00 16:20 XOSL
Europe/Helsinki 10:00 18:30 XHEL
Europe/Warsaw 09:00 17:00 XWAR
Europe/Prague 09:00 16:20 XPRA
Europe/Budapest 09:00 17:00 XBUD
Europe/Athens 10:15 17:20 XATH
Europe/Istanbul 10:00 18:00 XIST
Asia/Jerusalem 09:30 17:30 XTAE
Africa/Johannesburg 09:00 17:00 XJSE
Asia/Kolkata 09:15 15:30 XNSE XBOM
Asia/Singapore 09:00 17:00 XSES
Asia/Hong_Kong 09:30 16:00 XHKG
Asia/Shanghai 09:30 15:00 XSHG XSHE
Asia/Taipei 09:00 13:30 XTAI
Asia/Seoul 09:00 15:30 XKRX XKOS
Asia/Tokyo 09:00 15:30 XTKS
Australia/Sydney 10:00 16:00 XASX
Pacific/Auckland 10:00 16:45 XNZE`;

/** When a market trades, in its own time. */
export type Hours = { readonly zone: string; readonly open: string; readonly close: string };

const BY_MIC: ReadonlyMap<string, Hours> = new Map(
  HOURS.trim()
    .split("\n")
    .flatMap((row) => {
      const [zone = "", open = "", close = "", ...mics] = row.split(" ");
      return mics.map((mic) => [mic, { zone, open, close }] as const);
    }),
);

/** For a market that is not in the table: a day of UTC, so that nothing counts as open or as today's close too early. */
const UNKNOWN: Hours = { zone: "UTC", open: "23:59", close: "23:59" };

/** The hours of a market. */
export const hoursOf = (mic: string | null): Hours => (mic === null ? UNKNOWN : (BY_MIC.get(marketOf(mic)) ?? UNKNOWN));
