/**
 * Components whose code loads when they are first rendered. Replaces `lazy` from "preact-iso/lazy", which never retries a
 * failed load and leaves its rejection unhandled; that package's `ErrorBoundary` works with this one too.
 */
import { type ComponentType, createElement, type FunctionComponent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { whenVisible } from "../state/when-visible.ts";

/** How often each file failed to load, by its path. A loaded one is never fetched under a second address: its state would exist twice. */
const failures = new Map<string, number>();

/**
 * Imports a file beside this one. The build replaces each `import()` of ours with this (`cli/build/late-parts.ts`): a browser may
 * remember that a module could not be fetched, and refuse its address until the page is reloaded
 * (https://github.com/whatwg/html/issues/6768), so after a failure the same file is asked for under another address. Rejects as `import()`
 * does; called again, it fetches again.
 */
const importLate = async (path: string): Promise<unknown> => {
  const failed = failures.get(path) ?? 0;
  try {
    return await import(failed > 0 ? `${path}?again=${failed}` : path);
  } catch (error) {
    // Counted from before the import: callers that waited for the same file fail together, as one failure.
    failures.set(path, failed + 1);
    throw error;
  }
};

Object.assign(globalThis, { importLate });

/** Code could not be fetched: the network failed, or a new version of the app has replaced it. */
export class LoadError extends Error {
  constructor(cause: unknown) {
    super("A part of the app could not be loaded.", { cause });
    this.name = "LoadError";
  }
}

/** `preload` fetches the code ahead of time. It never rejects: rendering tries again. */
type Lazy<Props> = FunctionComponent<Props> & { readonly preload: () => Promise<void> };

/** How waiting ended: with the code, or without. */
type Outcome<Code> =
  | { readonly code: Code; readonly error?: undefined }
  | { readonly code?: undefined; readonly error: LoadError };

/** `now` is the code once it is here; `fetch` never rejects, and asks once more after a failure. */
type LateCode<Code> = { readonly now: () => Code | undefined; readonly fetch: () => Promise<Outcome<Code>> };

/** Code that is not fetched before somebody asks for it. */
export const lateCode = <Code>(load: () => Promise<Code>): LateCode<Code> => {
  let loaded: Code | undefined;
  let loading: Promise<Outcome<Code>> | undefined;
  return {
    now: () => loaded,
    fetch: () => {
      loading ??= load().then(
        (code) => {
          loaded = code;
          return { code };
        },
        (cause: unknown) => {
          loading = undefined;
          return { error: new LoadError(cause) };
        },
      );
      return loading;
    },
  };
};

/** Throws a `LoadError` while rendering when `load` rejects. Mounted again, as after "Try again", it loads again. */
export const lazy = <Props extends object>(load: () => Promise<ComponentType<Props>>): Lazy<Props> => {
  const late = lateCode(load);
  const LazyComponent = (props: Props) => {
    const [outcome, setOutcome] = useState<Outcome<ComponentType<Props>>>();
    const wait = useRef<Promise<void>>();
    const loaded = late.now();
    if (loaded) return createElement(loaded, props);
    if (outcome?.error) throw outcome.error;
    wait.current ??= late.fetch().then(setOutcome);
    // The boundary waits for the promise that is thrown.
    throw wait.current;
  };
  return Object.assign(LazyComponent, { preload: async () => void (await late.fetch()) });
};

/** Calls `load` once, `afterMs` after mounting; in a hidden tab once it becomes visible. */
export const useFetchAhead = (load: () => void, afterMs: number): void =>
  useEffect(() => {
    const begin = (): void => load();
    const timer = setTimeout(() => whenVisible(begin), afterMs);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", begin);
    };
  }, []);
