/** Corrections to how esbuild splits the app: by what is needed when, and by the files that define what a library's index passes on. */
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import type { Loader, Plugin } from "esbuild";

/** What an index passes on: the file that defines a name, and the name in that file. */
type Definition = { readonly file: string; readonly name: string };

/** Resolves a package's name, as it is imported from the directory, to its file. */
export type ResolvePackage = (name: string, fromDir: string) => Promise<string>;

const PASSED_ON = /^export \{([^}]*)\} from ["'](\.[^"']*)["']/gm;

const IMPORTED = /^import \{([^}]*)\} from ["'](\.[^"']*)["']/gm;

const EXPORTED = /^export \{([^}]*)\};?$/gm;

const ALL_PASSED_ON = /^export \* from ["']([^."'][^"']*)["']/gm;

/** Indexes are the same for as long as a build runs. */
const indexes = new Map<string, Promise<ReadonlyMap<string, Definition>>>();

const readIndex = (index: string, resolve: ResolvePackage): Promise<ReadonlyMap<string, Definition>> => {
  const known = indexes.get(index) ?? readNames(index, resolve);
  indexes.set(index, known);
  return known;
};

const readNames = async (index: string, resolve: ResolvePackage): Promise<ReadonlyMap<string, Definition>> => {
  const text = readFileSync(index, "utf8");
  const definitions = new Map<string, Definition>();
  for (const [, library = ""] of text.matchAll(ALL_PASSED_ON)) {
    const others = await readIndex(await resolve(library, dirname(index)), resolve);
    for (const [name, definition] of others) definitions.set(name, definition);
  }
  const imported = new Map<string, Definition>();
  const namesOf = (pattern: RegExp, into: Map<string, Definition>): void => {
    for (const [, names = "", path = ""] of text.matchAll(pattern)) {
      const file = join(dirname(index), path);
      for (const { name, alias } of parseNames(names)) into.set(alias, { file, name });
    }
  };
  namesOf(IMPORTED, imported);
  namesOf(PASSED_ON, definitions);
  for (const [, names = ""] of text.matchAll(EXPORTED)) {
    for (const { name, alias } of parseNames(names)) {
      const definition = imported.get(name);
      if (definition) definitions.set(alias, definition);
    }
  }
  return definitions;
};

/** Types are left out: nothing of them reaches the browser. */
const parseNames = (names: string): readonly { readonly name: string; readonly alias: string }[] =>
  names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((text) => {
      const [name = "", alias = name] = text.split(/\s+as\s+/);
      return { name, alias };
    });

/**
 * `source` with its imports and exports by name from `libraries` taken from the defining files. Those libraries' indexes must have no
 * side effect.
 *
 * @throws {Error} for a name that the index does not pass on from a file.
 */
export const importFromDefiningFiles = async (
  source: string,
  fromDir: string,
  libraries: readonly string[],
  resolve: ResolvePackage,
): Promise<string> => {
  const statements = new RegExp(`^(import|export) \\{([^}]*)\\} from ["'](${libraries.join("|")})["'];`, "gm");
  let rewritten = "";
  let end = 0;
  for (const match of source.matchAll(statements)) {
    const [whole, keyword, names = "", library = ""] = match;
    const definitions = await readIndex(await resolve(library, fromDir), resolve);
    const lines = parseNames(names).map(({ name, alias }) => {
      const found = definitions.get(name);
      if (found === undefined) throw new Error(`${library} passes no ${name} on from a file of its own.`);
      return `${keyword} { ${found.name} as ${alias} } from ${JSON.stringify(found.file)};`;
    });
    // On one line, so that positions in messages stay right.
    rewritten += source.slice(end, match.index) + lines.join(" ");
    end = match.index + whole.length;
  }
  return rewritten + source.slice(end);
};

/** Libraries of which the app uses a part, and the first paint a smaller part. Their indexes do nothing but pass names on. */
const LIBRARIES = ["@tabler/icons-preact", "@tanstack/preact-query", "@tanstack/query-core"] as const;

/** The app's sources, and the library that imports from the index of another one. */
const REWRITTEN = /\.tsx?$|[\\/]@tanstack[\\/]preact-query[\\/].*\.js$/;

const LOADERS: Readonly<Record<string, Loader>> = { ".tsx": "tsx", ".ts": "ts", ".js": "js" };

/** An `import()` of one of the app's modules, as the sources have it. */
const IMPORTED_LATER = /\bimport\("(\.[^"]*\.tsx?)"\)/g;

/**
 * The app's modules that are imported by `import()` anywhere. Read from the sources, not from what esbuild asks for: which import of a
 * module esbuild comes to first differs from build to build, and another module that loads later may import the same one by name.
 */
const loadedLater = (dir: string): ReadonlySet<string> => {
  const modules = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
  const imported = modules.flatMap((path) => {
    const file = join(dir, path);
    return [...readFileSync(file, "utf8").matchAll(IMPORTED_LATER)].map(([, to = ""]) => resolve(dirname(file), to));
  });
  return new Set(imported);
};

/** Absolute paths: the app's sources, the module that the first paint renders, and what the parts that load later have in common. */
type Split = { readonly dir: string; readonly app: string; readonly shared: string };

/**
 * By itself esbuild makes a chunk for every set of entries that share a module: the first paint would be 25 small files, which
 * compress badly, and the agent's panel would fetch seven more of 140 to 880 bytes. And it goes by files: through the common index
 * of a library, all that the app uses of it would belong to the first paint (of the icons that is 6 KB after gzip).
 *
 * Each module that loads later also imports `app`, which is there by then, and `shared`. So all that the app needs at
 * first is reached by the same entries, and becomes one chunk; and all that `shared` imports becomes a second one.
 */
export const splitPlugin = ({ dir, app, shared }: Split): Plugin => ({
  name: "split",
  setup: ({ onLoad, resolve: resolveImport }) => {
    const later = loadedLater(dir);
    const resolvePackage = async (name: string, fromDir: string): Promise<string> =>
      (await resolveImport(name, { kind: "import-statement", resolveDir: fromDir })).path;
    onLoad({ filter: REWRITTEN }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const contents = await importFromDefiningFiles(source, dirname(path), LIBRARIES, resolvePackage);
      return {
        contents: later.has(path)
          ? `${contents}\nimport ${JSON.stringify(app)}; import ${JSON.stringify(shared)};\n`
          : contents,
        loader: LOADERS[extname(path)] ?? "default",
      };
    });
  },
});
