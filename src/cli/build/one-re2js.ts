/**
 * Gives just-bash the re2js that the workspace uses: its file for browsers has a copy of the same library inside, 170 KB. The copy is a
 * module that esbuild wrapped, `var A,B,init=wrap(()=>{A=class…});`, so the rest can only know the classes that re2js exports.
 */

/** How the copy starts: the names of its classes, the function that makes them, and the first class of re2js. */
const START = /var [\w$,]+,([\w$]+)=[\w$]+\(\(\)=>\{[\w$]+=class [\w$]+\{static FOLD_CASE=1;/;

/** What follows a wrapped module. */
const END = /\}\);(?=var |function |async function )/;

/** What re2js exports, with text that stands in each class and in none before it. */
const EXPORTS: Readonly<Record<string, string>> = {
  RE2JS: "static CASE_INSENSITIVE=",
  Matcher: "static quoteReplacement(",
  RE2JSException: 'this.name="RE2JSException"',
  RE2JSSyntaxException: 'this.name="RE2JSSyntaxException"',
  RE2JSCompileException: 'this.name="RE2JSCompileException"',
  RE2JSGroupException: 'this.name="RE2JSGroupException"',
  RE2JSFlagsException: 'this.name="RE2JSFlagsException"',
};

/**
 * just-bash's source with its copy of re2js replaced by an import.
 *
 * @throws when the copy is not as expected, which an update of just-bash may bring.
 */
export const withoutRe2js = (source: string): string => {
  const start = START.exec(source);
  if (start === null) throw unexpected("its start");
  const before = source.slice(0, start.index);
  const rest = source.slice(start.index);
  const end = END.exec(rest);
  if (end === null) throw unexpected("its end");
  const copy = rest.slice(0, end.index);
  const imports = Object.entries(EXPORTS).map(([name, mark]) => `${name} as ${classWith(copy, mark)}`);
  return `import{${imports.join()}}from"re2js";${before}var ${start[1]}=()=>{};${rest.slice(end.index + "});".length)}`;
};

/** The name that the copy gave to the class with `mark`. */
const classWith = (copy: string, mark: string): string => {
  const at = copy.indexOf(mark);
  const name = [...copy.slice(0, Math.max(at, 0)).matchAll(/([\w$]+)=class\b/g)].at(-1)?.[1];
  if (name === undefined) throw unexpected(mark);
  return name;
};

const unexpected = (what: string): Error => new Error(`The re2js inside just-bash has changed: ${what} was not found.`);
