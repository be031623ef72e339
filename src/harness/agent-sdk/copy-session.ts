/** Keeps a copy of the SDK's session file with the thread, and puts it back where the file was lost. */
import { AppError } from "../../contract/app-error.ts";
import { log } from "../../contract/log.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import type { SessionCopy } from "../adapter.ts";
import type { AgentHost } from "./agent-host.ts";

/** Largest piece of a copy, in bytes: half of what one row may hold. */
const MAX_PIECE_BYTES = 1_048_576;

/**
 * Copies what is new in the session's file. Never rejects: the turn's end does not depend on it, and the next turn copies what is missing.
 */
export const copySession = async (sessionId: string, host: AgentHost, copy: SessionCopy): Promise<void> => {
  try {
    let offset = await copy.size();
    for (;;) {
      const { bytes, size } = await host.readSession(sessionId, offset);
      if (size < offset) {
        // The file is only added to, so it was lost in between. The next turn puts the copy back.
        log.warn("A session's file is shorter than its copy, which stays.", { sessionId });
        return;
      }
      for (let at = 0; at < bytes.byteLength; at += MAX_PIECE_BYTES) {
        const piece = bytes.slice(at, at + MAX_PIECE_BYTES);
        if (!(await copy.add(offset, piece.buffer))) return;
        offset += piece.byteLength;
      }
      if (offset >= size || bytes.byteLength === 0) return;
    }
  } catch (error) {
    if (!(error instanceof WorkspaceError || error instanceof AppError)) throw error;
    log.warn("A session was not copied.", { error: error.message });
  }
};

/** Puts the copy back. False when there is no copy. @throws {WorkspaceError} when the host does not answer. */
export const restoreSession = async (sessionId: string, host: AgentHost, copy: SessionCopy): Promise<boolean> => {
  let offset = 0;
  for await (const { bytes } of piecesOf(copy)) {
    await host.restoreSession(sessionId, offset, bytes);
    offset += bytes.byteLength;
  }
  return offset > 0;
};

/**
 * Whether the copy contains the call that a session can go on with. It does not if the file could not be copied since that call was made.
 */
export const isCopied = async (toolUseId: string, copy: SessionCopy): Promise<boolean> => {
  const id = `"${toolUseId}"`;
  let text = "";
  for await (const { bytes } of piecesOf(copy)) {
    // The id may begin in one piece and end in the next.
    text = text.slice(-id.length) + new TextDecoder().decode(bytes);
    if (text.includes(id)) return true;
  }
  return false;
};

/**
 * Whether the host's file begins with the copy. A file that is longer than the copy may be older all the same: it was left on another
 * machine, or for another workspace, while the thread went on elsewhere. Such a file differs from the copy in the copy's last piece.
 */
export const goesOnFrom = async (copy: SessionCopy, sessionId: string, host: AgentHost): Promise<boolean> => {
  const last = await lastPiece(copy);
  if (last === undefined) return true;
  const { bytes } = await host.readSession(sessionId, last.offset);
  return last.bytes.every((byte, at) => byte === bytes[at]);
};

/**
 * How far from the copy's end the last piece is looked for, in bytes, nearest first: pieces are read whole, and most turns add few bytes.
 */
const LAST_PIECE_BYTES: readonly number[] = [16_384, 131_072, MAX_PIECE_BYTES];

const lastPiece = async (copy: SessionCopy): Promise<Piece | undefined> => {
  const size = await copy.size();
  for (const distance of LAST_PIECE_BYTES) {
    let last: Piece | undefined;
    for await (const piece of piecesOf(copy, Math.max(0, size - distance))) last = piece;
    if (last !== undefined) return last;
  }
  return undefined;
};

type Piece = { readonly offset: number; readonly bytes: Uint8Array<ArrayBuffer> };

/** The pieces of the copy that begin at `from` or after it. */
async function* piecesOf(copy: SessionCopy, from = 0): AsyncGenerator<Piece> {
  for (let offset = from; ; ) {
    const piece = await copy.piece(offset);
    if (piece === undefined) return;
    yield { offset: piece.offset, bytes: new Uint8Array(piece.bytes) };
    offset = piece.offset + piece.bytes.byteLength;
  }
}
