/** Splits code into parts to colour. Small on purpose: it knows words, strings, numbers and comments, and no grammar. */

/** `plain` is everything else. The parts joined give the code again. */
export type CodePart = { readonly kind: "plain" | "keyword" | "string" | "number" | "comment"; readonly text: string };

/** How a language writes what is coloured. */
type Language = {
  readonly comments: readonly string[];
  readonly strings: readonly string[];
  readonly keywords: string;
};

const SLASHES = [String.raw`\/\/[^\n]*`, String.raw`\/\*[\s\S]*?(?:\*\/|$)`];
const HASH = [String.raw`(?<=^|\s)#[^\n]*`];
const DOUBLE = String.raw`"(?:\\.|[^"\\\n])*"?`;
const SINGLE = String.raw`'(?:\\.|[^'\\\n])*'?`;
const BACKTICK = String.raw`\x60(?:\\[\s\S]|[^\x60\\])*\x60?`;
const TRIPLE = String.raw`"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)`;

const C_LIKE: Language = {
  comments: SLASHES,
  strings: [DOUBLE, SINGLE],
  keywords: `auto bool boolean break byte case catch char class const continue default defer delete do double else enum
    extends extern false final finally float fn for func go goto if impl implements import int interface let long loop map
    match mod module mut namespace new nil null nullptr override package private protected pub public range return self
    short static string struct super switch this throw throws trait true try type typedef union unsafe use using var
    virtual void volatile while with yield`,
};

const SCRIPT: Language = {
  comments: SLASHES,
  strings: [DOUBLE, SINGLE, BACKTICK],
  keywords: `as async await break case catch class const continue debugger default delete do else enum export extends
    false finally for from function get if implements import in instanceof interface keyof let new null of private
    protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void
    while with yield`,
};

const PYTHON: Language = {
  comments: HASH,
  strings: [TRIPLE, DOUBLE, SINGLE],
  keywords: `and as assert async await break case class continue def del elif else except False finally for from global if
    import in is lambda match None nonlocal not or pass raise return True try while with yield self`,
};

const SHELL: Language = {
  comments: HASH,
  strings: [DOUBLE, "'[^']*'?"],
  keywords: `if then else elif fi for in do done while until case esac function return exit local export set unset source
    sudo cd echo`,
};

const SQL: Language = {
  comments: [String.raw`--[^\n]*`, SLASHES[1] ?? ""],
  strings: ["'(?:''|[^'])*'?", DOUBLE],
  keywords: `add all alter and as asc begin between by case commit create cross default delete desc distinct drop else end
    exists foreign from full group having if in index inner insert into is join key left like limit not null offset on or
    order outer primary references returning right rollback select set table then union unique update using values view
    when where with`,
};

const DATA: Language = { comments: HASH, strings: [DOUBLE, SINGLE], keywords: "true false null yes no on off" };

const MARKUP: Language = { comments: [String.raw`<!--[\s\S]*?(?:-->|$)`], strings: [DOUBLE, SINGLE], keywords: "" };

const STYLES: Language = { comments: [SLASHES[1] ?? ""], strings: [DOUBLE, SINGLE], keywords: "important" };

const NAMES: readonly (readonly [names: string, language: Language])[] = [
  ["ts tsx js jsx mjs cjs mts cts typescript javascript json jsonc json5", SCRIPT],
  ["c h cpp cc hpp c++ cs csharp go rust rs java kt kotlin swift scala php dart zig", C_LIKE],
  ["py python rb ruby", PYTHON],
  ["sh bash zsh shell console fish dockerfile makefile", SHELL],
  ["sql sqlite postgres mysql", SQL],
  ["yaml yml toml ini conf env properties", DATA],
  ["html xml svg vue", MARKUP],
  ["css scss less", STYLES],
];

const LANGUAGES = new Map(
  NAMES.flatMap(([names, language]) => names.split(" ").map((name) => [name, language] as const)),
);

const NUMBER = String.raw`\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)n?\b`;

const patterns = new Map<Language, RegExp>();

const patternOf = (language: Language): RegExp => {
  const known = patterns.get(language);
  if (known !== undefined) return known;
  const { comments, strings, keywords } = language;
  const words = keywords
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
  const parts = [
    `(?<comment>${comments.join("|")})`,
    `(?<string>${strings.join("|")})`,
    ...(words.length === 0 ? [] : [`(?<keyword>(?<![\\w$.-])(?:${words.join("|")})(?![\\w$-]))`]),
    `(?<number>${NUMBER})`,
  ];
  const made = new RegExp(parts.join("|"), language === SQL ? "gi" : "g");
  patterns.set(language, made);
  return made;
};

/** Longer code stays plain: nobody reads its colours, and finding them takes time. In UTF-16 units. */
const MAX_LENGTH = 50_000;

/** `language` is what a fence or the ending of a file's name says. Code in an unknown language is plain. */
export const codeParts = (code: string, language: string | undefined): readonly CodePart[] => {
  const found = LANGUAGES.get(language?.toLowerCase() ?? "");
  if (found === undefined || code.length > MAX_LENGTH) return [{ kind: "plain", text: code }];
  const parts: CodePart[] = [];
  let end = 0;
  for (const match of code.matchAll(patternOf(found))) {
    if (match.index > end) parts.push({ kind: "plain", text: code.slice(end, match.index) });
    parts.push({ kind: kindOf(match.groups ?? {}), text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < code.length || parts.length === 0) parts.push({ kind: "plain", text: code.slice(end) });
  return parts;
};

const kindOf = ({ comment, string, keyword }: Readonly<Record<string, string | undefined>>): CodePart["kind"] =>
  comment !== undefined ? "comment" : string !== undefined ? "string" : keyword !== undefined ? "keyword" : "number";

/** The ending of a file's name, by which `codeParts` knows the language: `ts` for a name that ends in `.ts`. */
export const suffixOf = (path: string): string => /[^./\\]+$/.exec(path)?.[0] ?? "";
