/** The methods of a workspace's object, as its callers see them. `WorkspaceObject` documents each. */
import type { AccountDeletion } from "../../db/deletion/open-deletion.ts";
import type { Answer } from "../answer.ts";
import type {
  ChangeCondition,
  Command,
  CommandResult,
  FileBytes,
  FileList,
  FileStat,
  ListQuery,
  SearchQuery,
  SearchResult,
} from "../workspace.ts";

/** `root` is the directory that paths are relative to; `callId` identifies a call for `find`, `abort` and `stop`. */
export interface WorkspaceRpc extends Rpc.DurableObjectBranded {
  stat(root: string, path: string): Promise<Answer<FileStat | undefined>>;
  read(
    root: string,
    path: string,
    range: { readonly offset: number; readonly maxBytes: number },
  ): Promise<Answer<FileBytes>>;
  write(root: string, path: string, bytes: Uint8Array, condition?: ChangeCondition): Promise<Answer<void>>;
  delete(root: string, path: string, condition?: ChangeCondition): Promise<Answer<void>>;
  list(root: string, callId: string, query: ListQuery): Promise<Answer<FileList>>;
  search(root: string, callId: string, query: SearchQuery): Promise<Answer<SearchResult>>;
  run(root: string, command: Command): Promise<Answer<CommandResult>>;
  find(callId: string): Promise<Answer<CommandResult | undefined>>;
  abort(callId: string): void;
  stop(callId: string): Promise<Answer<CommandResult | undefined>>;
  keep(runId: string, path: string, bytes: Uint8Array): Promise<Answer<void>>;
  keptPaths(runId: string): Promise<Answer<string[]>>;
  keptContent(runId: string, path: string): Promise<Answer<Uint8Array | undefined>>;
  dropKept(runId: string): void;
  pathsAfter(after: string): Promise<string[]>;
  wholeFile(path: string): Promise<Uint8Array | null>;
  purge(deletion: AccountDeletion, untilMs: number): Promise<void>;
}
