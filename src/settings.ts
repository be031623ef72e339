/** Settings: the Worker's variables that are switches or have a default, parsed. */
import * as z from "zod";

const ON = ["true", "1", "on", "yes"];

const OFF = ["false", "0", "off", "no"];

/** What was written, any case. Wrangler passes on a boolean where somebody left out the quotes. */
const written = (value: unknown): string =>
  String(value ?? "")
    .trim()
    .toLowerCase();

/** A switch as people write it. */
const Switch = z
  .unknown()
  .optional()
  .transform((value) => ON.includes(written(value)));

/** A switch that is on unless it says otherwise. */
const SwitchOff = z
  .unknown()
  .optional()
  .transform((value) => !OFF.includes(written(value)));

/** A text that has a default, also where it is left blank. */
const textOr = (standard: string) =>
  z
    .string()
    .trim()
    .optional()
    .transform((text) => text || standard);

const SWITCHES = {
  AUTH_DISABLED: Switch,
  PRINT_SIGN_IN_CODES: Switch,
  RATE_LIMITS_DISABLED: Switch,
  DEMO_MODEL: Switch,
  AGENT_PAUSED: Switch,
  AGENT_TITLES: SwitchOff,
  SCHEDULES_PAUSED: Switch,
  NOTICES_PAUSED: Switch,
  PRINT_NOTICES: Switch,
  LOOPBACK_PUSH: Switch,
  SERVICE_WORKER: Switch,
  OFFLINE: Switch,
};

/** Problems with switches that say neither on nor off, one line each: whoever pauses something must not believe that it is paused. */
export const switchProblems = (vars: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(SWITCHES)
    .filter((name) => ![...ON, ...OFF, ""].includes(written(vars[name])))
    .map((name) => `${name} is neither on nor off. Write true or false.`);

const Settings = z.object({
  ...SWITCHES,
  AGENT_WORKSPACE_DIR: textOr("."),
  /** Any text: a name that nothing answers to is refused when a turn starts. */
  AGENT_HARNESS: textOr("anthropic"),
});

/** Read once: each call of `keyof` makes a schema, which takes longer than all of what follows. */
const NAMES = Settings.keyof().options;

type Variables = Readonly<z.input<typeof Settings>>;

type Parsed = { readonly values: readonly unknown[]; readonly settings: z.infer<typeof Settings> };

/** The most recent result: a request needs it several times, and the variables are nearly always the same. */
let last: Parsed | undefined;

/** Parses these variables. */
export const parseSettings = (env: Variables): z.infer<typeof Settings> => {
  const values = NAMES.map((name) => env[name]);
  if (last === undefined || values.some((value, nth) => value !== last?.values[nth])) {
    last = { values, settings: Settings.parse(env) };
  }
  return last.settings;
};
