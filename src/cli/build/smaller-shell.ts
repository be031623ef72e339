/** Makes just-bash smaller for a deploy: without the commands that no workspace has, and with the re2js that is there already. */
import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";
import { LEFT_OUT_COMMANDS } from "../../workspace/durable/left-out-commands.ts";
import { withoutRe2js } from "./one-re2js.ts";

const FILE = /[\\/]just-bash[\\/]dist[\\/]bundle[\\/]browser\.js$/;

/** What one of the commands imports. It is left out with it, as importing it does nothing. */
const IMPORTED = /^turndown$/;

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

/** Applies both to a build. */
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
