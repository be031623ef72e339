/**
 * The provider's prompt cache, as far as its documents say how it works: a request writes its prefix at each breakpoint, and
 * reads the longest one that was written before and ends at a breakpoint of its own or up to 20 blocks in front of one. Pure.
 * Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */

type Body = Readonly<Record<string, unknown>>;

/** What became of one request, in blocks: tools, parts of the system prompt and blocks of messages count one each. */
export type CacheUse = { readonly read: number; readonly written: number; readonly sent: number };

/** Blocks in front of a breakpoint that are looked at. */
const LOOK_BACK = 20;

type Part = { readonly json: string; readonly isBreakpoint: boolean };

const partsOf = (list: unknown, label: string): Part[] =>
  (Array.isArray(list) ? list : []).map((part: Body) => {
    const { cache_control, ...rest } = part;
    return { json: `${label} ${JSON.stringify(rest)}`, isBreakpoint: cache_control !== undefined };
  });

const allParts = ({ tools, system, messages }: Body): Part[] => [
  ...partsOf(tools, "tools"),
  ...partsOf(system, "system"),
  ...(Array.isArray(messages) ? messages : []).flatMap(({ role, content }: Body) => partsOf(content, String(role))),
];

/** What the cache does for requests that follow each other within its lifetime. */
export const cacheUses = (requests: readonly Body[]): CacheUse[] => {
  /** Numbers of prefixes: that of a longer one depends on the shorter one and what was added. */
  const numbers = new Map<string, number>();
  const written = new Set<number>();
  return requests.map((request) => {
    const parts = allParts(request);
    let last = 0;
    const prefixes = parts.map(({ json }) => {
      const key = `${last} ${json}`;
      last = numbers.get(key) ?? numbers.size + 1;
      numbers.set(key, last);
      return last;
    });
    const breakpoints = parts.flatMap(({ isBreakpoint }, at) => (isBreakpoint ? [at] : []));
    const isInReach = (at: number) => breakpoints.some((end) => at <= end && end - at < LOOK_BACK);
    const read = prefixes.findLastIndex((prefix, at) => written.has(prefix) && isInReach(at)) + 1;
    for (const at of breakpoints) written.add(prefixes[at] ?? 0);
    return { read, written: (breakpoints.at(-1) ?? -1) + 1, sent: parts.length };
  });
};
