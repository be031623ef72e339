/**
 * Makes the code of a durable workspace smaller for a deploy: just-bash without the commands that no workspace has, and with the re2js
 * that the Worker has already; the library of its files without the prompts that come with it.
 */
import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";
import { LEFT_OUT_COMMANDS } from "../../workspace/durable/left-out-commands.ts";

const FILE = /[\\/]just-bash[\\/]dist[\\/]bundle[\\/]browser\.js$/;

/** Imports that are left out where nothing of them is used, since importing them does nothing: those of one command, and the prompts. */
const IMPORTED = /^(turndown|\.\/prompt-[\w-]+\.js)$/;

/** The function that wraps the modules of its file for browsers: each is evaluated when it is first called. */
const WRAPPER = /var ([\w$]+)=\(e,t\)=>\(\)=>\(e&&\(t=e\(e=0\)\),t\)/;

/**
 * just-bash's source without these commands. Modules are marked as free of side effects, so that esbuild leaves out what nothing calls.
 *
 * @throws when the source is not as expected, which an update of just-bash may bring.
 */
export const withoutCommands = (source: string): string => {
  const wrapper = WRAPPER.exec(source)?.[1];
  if (wrapper === undefined) throw unexpected("the wrapper of modules");
  const marked = source.replaceAll(`=${wrapper}(()=>{`, `=/*@__PURE__*/${wrapper}(()=>{`);
  return LEFT_OUT_COMMANDS.reduce((rest, name) => {
    const entry = new RegExp(`\\{name:"${name}",load:async\\(\\)=>\\([^{}]+?\\)\\.\\w+\\},?`);
    if (!entry.test(rest)) throw unexpected(`the command ${name}`);
    return rest.replace(entry, "");
  }, marked);
};

const unexpected = (what: string): Error => new Error(`just-bash has changed: ${what} was not found.`);

/** Applies all of it to a build. */
export const smallerShell: Plugin = {
  name: "smaller-shell",
  setup: ({ onLoad, onResolve, resolve }) => {
    onLoad({ filter: FILE }, async ({ path }) => ({
      contents: withoutCommands(withoutRe2js(await readFile(path, "utf8"))),
      loader: "js",
    }));
    onResolve({ filter: IMPORTED }, async ({ path, resolveDir, kind, pluginData }) => {
      if (pluginData === IMPORTED) return undefined;
      return { ...(await resolve(path, { resolveDir, kind, pluginData: IMPORTED })), sideEffects: false };
    });
  },
};

/** How the copy starts: the names of its classes, the function that makes them, and the first class of re2js. */
const START = /var [\w$,]+,([\w$]+)=[\w$]+\(\(\)=>\{[\w$]+=class [\w$]+\{static FOLD_CASE=1;/;

/** What follows a wrapped module. */
const END = /\}\);(?=var |function |async function )/;

/** What re2js exports, with text that is in each class and in none before it. */
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
 * just-bash's source with its copy of re2js, 170 KB, replaced by an import. The copy is a module that esbuild wrapped,
 * `var A,B,init=wrap(()=>{A=class…});`, so the rest can only know the classes that re2js exports.
 *
 * @throws when the copy is not as expected, which an update of just-bash may bring.
 */
export const withoutRe2js = (source: string): string => {
  const start = START.exec(source);
  if (start === null) throw changedCopy("its start");
  const before = source.slice(0, start.index);
  const rest = source.slice(start.index);
  const end = END.exec(rest);
  if (end === null) throw changedCopy("its end");
  const copy = rest.slice(0, end.index);
  const imports = Object.entries(EXPORTS).map(([name, mark]) => `${name} as ${classWith(copy, mark)}`);
  return `import{${imports.join()}}from"re2js";${before}var ${start[1]}=()=>{};${rest.slice(end.index + "});".length)}`;
};

/** The name that the copy gave to the class with `mark`. */
const classWith = (copy: string, mark: string): string => {
  const at = copy.indexOf(mark);
  const name = [...copy.slice(0, Math.max(at, 0)).matchAll(/([\w$]+)=class\b/g)].at(-1)?.[1];
  if (name === undefined) throw changedCopy(mark);
  return name;
};

const changedCopy = (what: string): Error =>
  new Error(`The re2js inside just-bash has changed: ${what} was not found.`);
