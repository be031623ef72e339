/** The world of a stream with a clock that only the test moves, a page that it hides and shows, and frames that it may hold back. */
import type { PageChange, StreamEnvironment } from "../../../../../src/ui/agent/stream/stream-environment.ts";

type Timer = { readonly run: () => void; readonly atMs: number };

/** Real network, held time. `random` is 0, so a delay is exactly its base. */
export class HeldWorld implements StreamEnvironment {
  readonly #timers = new Set<Timer>();
  readonly #listeners = new Set<(change: PageChange) => void>();
  readonly #heldFrames = new Set<() => void>();
  readonly #base: string;
  #nowMs = 1_000_000;
  #isHidden = false;

  isPhoneThatSleeps = false;
  /** Frames come by themselves, unless they are held: then by `showFrame`. */
  holdsFrames = false;

  /** `base` is put before each path. */
  constructor(base: string) {
    this.#base = base;
  }

  /** Paths in the order they were asked for; the server may see them in another. */
  readonly asked: string[] = [];

  readonly fetch: StreamEnvironment["fetch"] = (url, init) => {
    this.asked.push(url);
    return fetch(this.#base + url, init);
  };
  readonly nowMs = (): number => this.#nowMs;
  readonly random = (): number => 0;
  readonly isHidden = (): boolean => this.#isHidden;
  readonly sleepsWhenHidden = (): boolean => this.isPhoneThatSleeps;

  readonly setTimer = (run: () => void, delayMs: number): (() => void) => {
    const timer = { run, atMs: this.#nowMs + delayMs };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  readonly afterNextFrame = (run: () => void): (() => void) => {
    if (this.holdsFrames) {
      this.#heldFrames.add(run);
      return () => this.#heldFrames.delete(run);
    }
    const frame = setImmediate(run);
    return () => clearImmediate(frame);
  };

  readonly onPageChange = (listener: (change: PageChange) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** How long until each timer, shortest first. */
  get waitsMs(): number[] {
    return [...this.#timers].map(({ atMs }) => atMs - this.#nowMs).sort((one, other) => one - other);
  }

  /** Who waits for a frame that is held. */
  get heldFrameCount(): number {
    return this.#heldFrames.size;
  }

  /** Who still listens to the page. */
  get listenerCount(): number {
    return this.#listeners.size;
  }

  advance(ms: number): void {
    this.#nowMs += ms;
    for (const timer of this.#timers) {
      if (timer.atMs > this.#nowMs) continue;
      this.#timers.delete(timer);
      timer.run();
    }
  }

  showFrame(): void {
    const held = [...this.#heldFrames];
    this.#heldFrames.clear();
    for (const run of held) run();
  }

  hide(): void {
    this.#isHidden = true;
    this.#say("hidden");
  }

  show(): void {
    this.#isHidden = false;
    this.#say("visible");
  }

  goOnline(): void {
    this.#say("online");
  }

  #say(change: PageChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
