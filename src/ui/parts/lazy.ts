/**
 * A component whose code loads when it is first rendered. In place of `lazy` from "preact-iso/lazy", which keeps a load
 * that failed for ever and lets its rejection go unhandled; its `ErrorBoundary` waits for this one as well.
 */
import { type ComponentType, createElement, type FunctionComponent } from "preact";
import { useRef, useState } from "preact/hooks";

/** Code that could not be fetched: the network, or a new version of the app that has taken its place. */
export class LoadError extends Error {
  constructor(cause: unknown) {
    super("A part of the app could not be loaded.", { cause });
    this.name = "LoadError";
  }
}

/** Fetches the code ahead; never rejects, for the first render tries again. */
type Lazy<Props> = FunctionComponent<Props> & { readonly preload: () => Promise<void> };

/** How waiting ended; empty when the code is here. */
type Outcome = { readonly error?: LoadError };

/** Throws a `LoadError` while it renders when `load` rejects: rendered anew, as after "Try again", it asks once more. */
export const lazy = <Props extends object>(load: () => Promise<ComponentType<Props>>): Lazy<Props> => {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<Outcome> | undefined;
  const fetchCode = (): Promise<Outcome> => {
    loading ??= load().then(
      (component) => {
        loaded = component;
        return {};
      },
      (cause: unknown) => {
        loading = undefined;
        return { error: new LoadError(cause) };
      },
    );
    return loading;
  };
  const LazyComponent = (props: Props) => {
    const [outcome, setOutcome] = useState<Outcome>();
    const wait = useRef<Promise<void>>();
    if (loaded) return createElement(loaded, props);
    if (outcome?.error) throw outcome.error;
    wait.current ??= fetchCode().then(setOutcome);
    // What is thrown is what the boundary waits for.
    throw wait.current;
  };
  return Object.assign(LazyComponent, { preload: async () => void (await fetchCode()) });
};
