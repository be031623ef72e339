/** The table of what prices cost in ARCHITECTURE.md, as a test reads it. */

/** One row. `times` a day for each person, or for all of them where it is said of the cron. */
type PriceCost = {
  readonly name: string;
  readonly atMost: number;
  readonly times: number;
  readonly price: number;
  readonly dollars: number;
};

const HEAD =
  /^\| Counted \| At most \| Times a day \| Price \| Dollars a day for 1,000 people \|.*\n\|[-|]+\n(?<body>(?:\|.*\n)+)/m;

const ROW =
  /^\| `(?<name>\w+)` \| (?<atMost>[\d,.]+) \| (?<times>[\d,]+) \| \$(?<price>[\d.]+) a million \| (?<dollars>[\d.]+) \|/;

const SUM = /^\| sum \|[ |]*\| (?<dollars>[\d.]+) \|/m;

const numberOf = (text: string | undefined): number => Number(text?.replaceAll(",", ""));

/** Rows and their sum. @throws {Error} where there is no such table, or a row cannot be read. */
export const readPriceCosts = (text: string): { readonly rows: readonly PriceCost[]; readonly sum: number } => {
  const body = HEAD.exec(text)?.groups?.body;
  const sum = numberOf(SUM.exec(body ?? "")?.groups?.dollars);
  if (body === undefined || Number.isNaN(sum)) throw new Error("ARCHITECTURE.md has no table of what prices cost.");
  const lines = body.split("\n").filter((line) => line !== "" && !SUM.test(line));
  const rows = lines.map((line) => {
    const { name, atMost, times, price, dollars } = ROW.exec(line)?.groups ?? {};
    if (name === undefined) throw new Error(`This row of the costs of prices cannot be read: ${line}`);
    const [most, often] = [numberOf(atMost), numberOf(times)];
    return { name, atMost: most, times: often, price: Number(price), dollars: Number(dollars) };
  });
  return { rows, sum };
};

/** People in the table. */
const PEOPLE = 1_000;

/** Dollars in hundredths of a cent, as the table has them. */
export const inDollars = (dollars: number): number => Number(dollars.toFixed(4));

/** What a row costs a day. */
export const priceCostOf = ({ atMost, times, price }: PriceCost): number =>
  inDollars((atMost * times * PEOPLE * price) / 1_000_000);
