/** Exact sums of thousands of amounts. big.js makes an object and an array of digits for each amount, and is two to four times as slow. */
import { canonicalDecimal } from "../contract/stocks/canonical-decimal.ts";

/** A sum of plain decimals and of their products. Nothing is ever rounded. */
export class ExactSum {
  /** What was added, by its number of decimals, in units of the last decimal. */
  readonly #units = new Map<number, bigint>();

  /** Adds an amount, or a hundredth of it. Null, an unknown amount, adds nothing. */
  add(amount: string | null, divisor: 1 | 100 = 1): void {
    if (amount !== null) this.#add(unitsOf(amount), decimalsOf(amount) + DECIMALS[divisor]);
  }

  /** Adds `a` × `b`, or a hundredth of that. Adds nothing when either is unknown. */
  addProduct(a: string | null, b: string | null, divisor: 1 | 100 = 1): void {
    if (a !== null && b !== null) {
      this.#add(unitsOf(a) * unitsOf(b), decimalsOf(a) + decimalsOf(b) + DECIMALS[divisor]);
    }
  }

  #add(units: bigint, decimals: number): void {
    this.#units.set(decimals, (this.#units.get(decimals) ?? 0n) + units);
  }

  /** The sum in its canonical form; null when nothing was added. */
  get total(): string | null {
    if (this.#units.size === 0) return null;
    const most = Math.max(...this.#units.keys());
    let sum = 0n;
    for (const [decimals, units] of this.#units) sum += units * 10n ** BigInt(most - decimals);
    const digits = String(sum < 0n ? -sum : sum).padStart(most + 1, "0");
    const whole = `${sum < 0n ? "-" : ""}${digits.slice(0, digits.length - most)}`;
    return most === 0 ? whole : canonicalDecimal(`${whole}.${digits.slice(-most)}`);
  }
}

/** How many decimals a division by the key adds. */
const DECIMALS = { 1: 0, 100: 2 } as const;

const unitsOf = (amount: string): bigint => BigInt(amount.replace(".", ""));

const decimalsOf = (amount: string): number => {
  const point = amount.indexOf(".");
  return point < 0 ? 0 : amount.length - point - 1;
};
