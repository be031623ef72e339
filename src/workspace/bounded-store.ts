/** The library's files with a limit on them all: a command that writes in a loop must not fill an object to its 10 GB. */
import { Workspace as ShellWorkspace } from "@cloudflare/shell";
import { WorkspaceError } from "./workspace.ts";

/** What an owner may keep: 1 GB, a tenth of an object. */
const MAX_STORED_BYTES = 1_000_000_000;

/** Refuses to write once the storage is full; reading and deleting go on, and what is deleted makes room. */
export class BoundedStore extends ShellWorkspace {
  readonly #storage: SqlStorage;
  readonly #maxBytes: number;

  constructor(options: { readonly storage: SqlStorage; readonly maxFileBytes: number; readonly maxBytes?: number }) {
    // The library warns of files from `inlineThreshold` on, which it would put into R2. There is none, and none is as large.
    super({ sql: options.storage, inlineThreshold: options.maxFileBytes + 1 });
    this.#storage = options.storage;
    this.#maxBytes = options.maxBytes ?? MAX_STORED_BYTES;
  }

  override async writeFile(...args: Parameters<ShellWorkspace["writeFile"]>): Promise<void> {
    this.#refuseFull();
    await super.writeFile(...args);
  }

  override async writeFileBytes(...args: Parameters<ShellWorkspace["writeFileBytes"]>): Promise<void> {
    this.#refuseFull();
    await super.writeFileBytes(...args);
  }

  override async mkdir(...args: Parameters<ShellWorkspace["mkdir"]>): Promise<void> {
    this.#refuseFull();
    await super.mkdir(...args);
  }

  /** Pages that a delete has freed are not counted. */
  #refuseFull(): void {
    if (this.#storage.databaseSize < this.#maxBytes) return;
    throw new WorkspaceError(
      "too_large",
      `The workspace is full: it holds ${this.#maxBytes} bytes. Delete files first.`,
    );
  }
}
