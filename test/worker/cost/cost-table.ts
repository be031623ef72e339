/** The table of costs in ARCHITECTURE.md, as a test reads it. */

/** One row. `counted` is its name where a test counts it; the others are estimates. `atMost` is of one turn. */
type CostRow = {
  readonly name: string;
  readonly counted: string | undefined;
  readonly atMost: number;
  readonly price: number;
  readonly unit: string;
  readonly dollars: number;
};

const HEAD = /^\| Counted \| At most \| Price \| Dollars for a million turns \|.*\n\|[-|]+\n(?<body>(?:\|.*\n)+)/m;

const ROW = /^\| (?<name>[^|]+) \| (?<atMost>[\d,.]+) \| \$(?<price>[\d.]+) a (?<unit>[\w-]+) \| (?<dollars>[\d.]+) \|/;

const SUM = /^\| sum \|[ |]*\| (?<dollars>[\d.]+) \|/m;

/** Rows and their sum. @throws {Error} where there is no such table, or a row cannot be read. */
export const readCostTable = (text: string): { readonly rows: readonly CostRow[]; readonly sum: number } => {
  const body = HEAD.exec(text)?.groups?.body;
  const sum = Number(SUM.exec(body ?? "")?.groups?.dollars);
  if (body === undefined || Number.isNaN(sum)) throw new Error("ARCHITECTURE.md has no table of costs with a sum.");
  const lines = body.split("\n").filter((line) => line !== "" && !SUM.test(line));
  return { rows: lines.map(readRow), sum };
};

const readRow = (line: string): CostRow => {
  const { name, atMost, price, unit, dollars } = ROW.exec(line)?.groups ?? {};
  if (name === undefined || unit === undefined)
    throw new Error(`This row of the table of costs cannot be read: ${line}`);
  return {
    name,
    counted: /^`(\w+)`$/.exec(name)?.[1],
    atMost: Number(atMost?.replaceAll(",", "")),
    price: Number(price),
    unit,
    dollars: Number(dollars),
  };
};

/** Dollars in cents, as the table has them. */
export const inCents = (dollars: number): number => Number(dollars.toFixed(2));

/** What a million turns cost: a million of what is billed by the million, or a million times the bytes in GB. */
export const dollarsOf = ({ atMost, price, unit }: CostRow): number =>
  inCents(unit === "GB-month" ? (atMost / 1_000) * price : atMost * price);
