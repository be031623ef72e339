/** Whether a conversation only grows: the habit that keeps thinking valid and the prompt cache warm. Pure. */

/** A place where a later request is not as an earlier one. `after` is undefined where it has nothing there any more. */
export type Difference = { readonly path: string; readonly before: string; readonly after: string | undefined };

type Body = Readonly<Record<string, unknown>>;

/** A part of a request as its JSON without `cache_control`; fields in the order they were sent. */
type Part = { readonly path: string; readonly json: string };

const json = (value: unknown): string =>
  JSON.stringify(value, (name, inner: unknown) => (name === "cache_control" ? undefined : inner)) ?? "";

const listed = (value: unknown, path: string): Part[] =>
  Array.isArray(value)
    ? value.map((one, at) => ({ path: `${path}.${at}`, json: json(one) }))
    : value === undefined
      ? []
      : [{ path, json: json(value) }];

const messageParts = (messages: unknown): Part[] =>
  (Array.isArray(messages) ? messages : []).flatMap(({ role, content }: Body, at) =>
    listed(content, `messages.${at}.content`).map((part) => ({ ...part, json: `${json(role)} ${part.json}` })),
  );

const differenceOf = (before: readonly Part[], after: readonly Part[]): Difference | undefined => {
  const at = before.findIndex((part, index) => part.json !== after[index]?.json);
  const was = before[at];
  return was === undefined ? undefined : { path: was.path, before: was.json, after: after[at]?.json };
};

/** The same, where nothing may be added either. */
const changeOf = (before: readonly Part[], after: readonly Part[]): Difference | undefined => {
  const added = after[before.length];
  return (
    differenceOf(before, after) ??
    (added === undefined ? undefined : { path: added.path, before: "", after: added.json })
  );
};

/**
 * Where `later` fails to begin with all of `earlier`, byte for byte but for `cache_control`; undefined when it only adds.
 * System and tools must be the same; blocks may be added to the last message. Other parameters do not count.
 */
export const whereItDiffers = (earlier: Body, later: Body): Difference | undefined =>
  changeOf(listed(earlier.tools, "tools"), listed(later.tools, "tools")) ??
  changeOf(listed(earlier.system, "system"), listed(later.system, "system")) ??
  differenceOf(messageParts(earlier.messages), messageParts(later.messages));
