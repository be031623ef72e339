/** What an owner's object does besides being a workspace: it keeps files as they were before runs changed them. */
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../env.ts";
import { type Answer, answer } from "../answer.ts";
import { DeletedWorkspace } from "./deleted-workspace.ts";
import { KeptFileStore } from "./kept-files.ts";

/** The kept files of one owner. */
export class KeepingObject extends DurableObject<Env> {
  protected readonly deleted = new DeletedWorkspace(this.ctx.storage);
  readonly #kept = new KeptFileStore(this.ctx.storage, this.deleted.sql);

  /** Keeps a file as it was before a run changed it. */
  keep(runId: string, path: string, bytes: Uint8Array): Promise<Answer<void>> {
    return answer(async () => {
      this.#kept.keep(runId, path, bytes, Date.now());
      if ((await this.ctx.storage.getAlarm()) === null) await this.dropExpired();
    });
  }

  keptPaths(runId: string): Promise<Answer<string[]>> {
    return answer(async () => this.#kept.paths(runId));
  }

  keptContent(runId: string, path: string): Promise<Answer<Uint8Array | undefined>> {
    return answer(async () => this.#kept.content(runId, path));
  }

  /** Forgets what was kept for a run. Repeating it is harmless. */
  dropKept(runId: string): void {
    if (!this.deleted.isLaid) this.#kept.drop(runId);
  }

  /** Drops kept files that are too old, and comes back for the next one. */
  protected async dropExpired(): Promise<void> {
    const nextMs = this.deleted.isLaid ? undefined : this.#kept.dropExpired(Date.now());
    if (nextMs !== undefined) await this.ctx.storage.setAlarm(nextMs);
  }
}
