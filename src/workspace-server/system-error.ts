/** Turns errors of the operating system into the workspace's own messages. */
import { showPath } from "../workspace/resolve-path.ts";
import { WorkspaceError, type WorkspaceErrorCode } from "../workspace/workspace.ts";

const MEANINGS: Readonly<Record<string, readonly [WorkspaceErrorCode, string]>> = {
  ENOENT: ["not_found", "does not exist. List the directory to see what there is"],
  // A component that should be a directory is a file, so nothing can be below it.
  ENOTDIR: ["not_found", "does not exist: part of the path is a file, not a directory"],
  EISDIR: ["wrong_type", "is a directory. Name a file in it"],
  ENXIO: ["wrong_type", "is not a file"],
  ELOOP: [
    "outside",
    "goes through a symbolic link that leads out of the workspace or in a circle, or is changing right now",
  ],
  ENAMETOOLONG: ["invalid", "has a name that is too long. Use a shorter one"],
  EACCES: ["refused", "is not accessible to this user"],
  EPERM: ["refused", "is not accessible to this user"],
  EROFS: ["refused", "is on a read-only file system"],
  ENOSPC: ["refused", "cannot be written: the disk is full"],
};

/** Error codes of file systems without hard links, such as those of Windows under WSL. */
export const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** The system's code of an error, such as `ENOENT`. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** Turns any failure of a file call into a refusal that names `path`; refusals are returned unchanged. */
export const toWorkspaceError = (error: unknown, path: string): WorkspaceError => {
  if (error instanceof WorkspaceError) return error;
  const code = systemCode(error);
  const [meaning, words] = MEANINGS[code ?? ""] ?? ["refused", `was refused by the system (${code ?? "unknown"})`];
  return new WorkspaceError(meaning, `${showPath(path)} ${words}.`, { cause: error });
};
