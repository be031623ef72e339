/** Formulas as readable text: models write LaTeX, which no browser shows. Commands that are not known stay as they were written. */

const SYMBOLS: Readonly<Record<string, string>> = {
  ...{ times: "×", cdot: "·", div: "÷", pm: "±", mp: "∓", ast: "∗", le: "≤", leq: "≤", ge: "≥", geq: "≥", ne: "≠" },
  ...{ neq: "≠", approx: "≈", sim: "∼", equiv: "≡", propto: "∝", ll: "≪", gg: "≫", infty: "∞", partial: "∂" },
  ...{ nabla: "∇", sum: "∑", prod: "∏", int: "∫", in: "∈", notin: "∉", subset: "⊂", cup: "∪", cap: "∩", forall: "∀" },
  ...{ exists: "∃", to: "→", rightarrow: "→", Rightarrow: "⇒", leftarrow: "←", iff: "⇔", implies: "⇒", mapsto: "↦" },
  ...{ ldots: "…", dots: "…", cdots: "⋯", prime: "′", circ: "∘", degree: "°", mid: "|", quad: " ", qquad: " " },
  ...{ alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", varepsilon: "ε", zeta: "ζ", eta: "η" },
  ...{ theta: "θ", iota: "ι", kappa: "κ", lambda: "λ", mu: "μ", nu: "ν", xi: "ξ", pi: "π", rho: "ρ", sigma: "σ" },
  ...{ tau: "τ", phi: "φ", varphi: "φ", chi: "χ", psi: "ψ", omega: "ω", Gamma: "Γ", Delta: "Δ", Theta: "Θ" },
  ...{ Lambda: "Λ", Xi: "Ξ", Pi: "Π", Sigma: "Σ", Phi: "Φ", Psi: "Ψ", Omega: "Ω" },
  ...{ log: "log", ln: "ln", exp: "exp", sin: "sin", cos: "cos", tan: "tan", min: "min", max: "max", lim: "lim" },
};

const RAISED = new Map(
  [..."0123456789+-=()abcdefghijklmnoprstuvwxyz"].map((from, at) => [
    from,
    [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"][at] ?? from,
  ]),
);

const LOWERED = new Map(
  [..."0123456789+-=()aehijklmnoprstuvx"].map((from, at) => [
    from,
    [..."₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"][at] ?? from,
  ]),
);

/** Marks over a letter. In the text, they follow the letter. */
const ACCENTS: Readonly<Record<string, string>> = {
  bar: "\u0304",
  overline: "\u0304",
  hat: "\u0302",
  tilde: "\u0303",
  vec: "\u20d7",
  dot: "\u0307",
};

/** How often a rule is applied to its own result: how deep formulas may be nested. */
const MAX_DEPTH = 8;

const GROUP = String.raw`\{([^{}]*)\}`;

const RULES: readonly (readonly [RegExp, (...groups: (string | undefined)[]) => string])[] = [
  [
    new RegExp(String.raw`\\(?:text|mathrm|mathbf|mathit|operatorname|textbf|mbox)\s*${GROUP}`, "g"),
    (text = "") => text,
  ],
  [
    // A factor that follows without a sign is multiplied by the whole fraction.
    new RegExp(String.raw`\\[dt]?frac\s*${GROUP}\s*${GROUP}(?:\s*(?=([\p{L}\p{N}∑∏∫√(]))|)`, "gu"),
    (top = "", below = "", factor?: string) =>
      factor === undefined ? `${bracketed(top)} / ${bracketed(below)}` : `(${bracketed(top)} / ${bracketed(below)}) `,
  ],
  [new RegExp(String.raw`\\sqrt\s*${GROUP}`, "g"), (of = "") => `√${bracketed(of)}`],
  [
    new RegExp(String.raw`\\(${Object.keys(ACCENTS).join("|")})(?:\s*${GROUP}|(?:\s+|(?![A-Za-z]))(\p{L}))`, "gu"),
    // Not every font draws a mark over several letters.
    (name = "", of, letter = of ?? "") => (/^\p{L}$/u.test(letter) ? `${letter}${ACCENTS[name]}` : letter),
  ],
];

/** The text in brackets, which a single term does not need. */
const bracketed = (text: string): string =>
  /^[\p{L}\p{M}\p{N}.,]*$/u.test(text.trim()) ? text.trim() : `(${text.trim()})`;

const shifted = (text: string, letters: ReadonlyMap<string, string>, mark: string): string => {
  const all = [...text];
  return all.every((one) => letters.has(one))
    ? all.map((one) => letters.get(one)).join("")
    : `${mark}${bracketed(text)}`;
};

const once = (formula: string): string =>
  RULES.reduce((text, [pattern, write]) => text.replace(pattern, (_, ...groups: string[]) => write(...groups)), formula)
    .replace(/\^(?:\{([^{}]*)\}|([\p{L}\p{N}]))/gu, (_, group?: string, one?: string) =>
      shifted(group ?? one ?? "", RAISED, "^"),
    )
    .replace(/_(?:\{([^{}]*)\}|([\p{L}\p{N}]))/gu, (_, group?: string, one?: string) =>
      shifted(group ?? one ?? "", LOWERED, "_"),
    );

/** A formula without its delimiters, as one line of text. */
export const mathText = (formula: string): string => {
  let text = formula
    .replace(/\\(?:left|right|big|Big|bigl|bigr|displaystyle)(?![a-zA-Z])/g, "")
    .replace(/\\([a-zA-Z]+)/g, (whole, name: string) =>
      Object.hasOwn(SYMBOLS, name) ? (SYMBOLS[name] ?? whole) : whole,
    );
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const next = once(text);
    if (next === text) break;
    text = next;
  }
  return text
    .replace(/\\\\/g, "; ")
    .replace(/\\[,;:! ]/g, " ")
    .replace(/\\([%$#&_{}])/g, "$1")
    .replace(/[{}]/g, "")
    .replace(/\s+/g, " ")
    .trim();
};

/**
 * Code and links, which are left alone, and formulas. A `$` begins a formula only before a character that is neither a blank nor a digit.
 * It ends one only after a character that is no blank, and not before a letter or a digit: amounts of money are far more frequent.
 */
const FORMULAS =
  /(?<kept>(`+)[\s\S]*?\2|\]\([^)\s]*\)|https?:\/\/\S+)|\$\$(?<shown>[^$]+)\$\$|\\\[(?<display>[\s\S]+?)\\\]|\\\((?<inline>[^\n]+?)\\\)|(?<![\p{L}\p{N}$\\])\$(?<dollar>(?![\s\d])[^$\n]*[^$\s\\])\$(?![\p{L}\p{N}])/gu;

/** Matches text that has a formula's marks in it: between two amounts in a sentence there are only words. */
const IS_FORMULA = /[\\^_={}]|^\s*\p{L}\s*$|\s[+*/<>-]\s/u;

/** ASCII punctuation as references, so that nothing of a formula is read as markdown. */
const asReferences = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** Longest paragraph that is searched, in UTF-16 units: marks without a partner make the search slow. */
const MAX_LENGTH = 4_000;

/** A paragraph's source with its formulas as text. */
export const withoutFormulas = (source: string): string => {
  if (source.length > MAX_LENGTH || !/\$|\\[([]/.test(source)) return source;
  return source.replace(FORMULAS, (whole: string, ...rest: unknown[]) => {
    const groups = rest.at(-1);
    const { kept, shown, display, inline, dollar } = Object(groups) as Readonly<Record<string, string | undefined>>;
    if (kept !== undefined) return whole;
    const formula = shown ?? display ?? inline ?? dollar ?? "";
    if (dollar !== undefined && !IS_FORMULA.test(dollar)) return whole;
    return asReferences(mathText(formula));
  });
};
