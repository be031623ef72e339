/**
 * A module that is evaluated when it is first needed, and not at the Worker's start (decision 0195). Loading it awaits, so load it
 * only where other calls may come in between.
 */

/** Keeps the module and not its promise: the promise of a request that was cut off might never settle. */
export const lateModule = <Module>(load: () => Promise<Module>): (() => Promise<Module>) => {
  let loaded: Module | undefined;
  return async () => {
    loaded ??= await load();
    return loaded;
  };
};
