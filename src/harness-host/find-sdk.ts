/** Looks for the vendor's agent SDK. It is proprietary and 430 MB, so it is never a dependency of this project. */
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { tryParseJson } from "../contract/parse-json.ts";

const SDK_PACKAGE = "@anthropic-ai/claude-agent-sdk";

/** The earliest version that runs. An earlier one ignores options that keep the gate whole, such as `verbatimPrompts`. */
export const LEAST_SDK_VERSION = "0.3.330";

/** An installed SDK. */
export type FoundSdk = {
  readonly version: string;
  /** The directory with the `node_modules`. */
  readonly dir: string;
  /** Absolute path of the module to import. */
  readonly entry: string;
};

const Manifest = z.object({ version: z.string(), main: z.string() });

/** The first SDK below the `node_modules` of these directories; undefined when none has it. */
export const findSdk = (dirs: readonly string[]): FoundSdk | undefined => {
  for (const dir of dirs) {
    const home = join(dir, "node_modules", SDK_PACKAGE);
    const manifest = Manifest.safeParse(tryParseJson(readIfThere(join(home, "package.json"))));
    if (manifest.success) {
      return { version: manifest.data.version, dir, entry: realpathSync(join(home, manifest.data.main)) };
    }
  }
  return undefined;
};

const readIfThere = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Not installed here.
    return "";
  }
};

/** The refusal of a start with an earlier version: one line, with what to do. Undefined when this version may run. */
export const sdkIsTooOld = ({ version, dir }: FoundSdk): string | undefined => {
  const [, numbers = "", prerelease] = /^(\d+\.\d+\.\d+)(-.+)?$/.exec(version) ?? [];
  const order = numbers.localeCompare(LEAST_SDK_VERSION, "en", { numeric: true });
  if (order > 0 || (order === 0 && prerelease === undefined)) return undefined;
  return `--harness agent-sdk needs the vendor's agent SDK ${LEAST_SDK_VERSION} or later, and ${dir} has ${version}. Install it with \`npm install --no-save --prefix "${dir}" ${SDK_PACKAGE}@latest\`.`;
};

/** The refusal of a start without the SDK: one line, with what to do. */
export const SDK_IS_MISSING = `--harness agent-sdk needs the vendor's agent SDK, which is not installed. Install it (about 430 MB) with \`npm install --no-save ${SDK_PACKAGE}\`, or name a directory whose node_modules has it as AGENT_SDK_DIR.`;
