/** A request's body, up to a bound. */
import type { IncomingMessage } from "node:http";
import { WorkspaceError } from "../../workspace/workspace.ts";

/** Reads the whole body. @throws {WorkspaceError} `too_large`, as soon as that is known. */
export const readBody = async (request: IncomingMessage, maxBytes: number): Promise<Buffer> => {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let byteLength = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    byteLength += chunk.byteLength;
    if (byteLength > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const tooLarge = (maxBytes: number): WorkspaceError =>
  new WorkspaceError("too_large", `A call carries at most ${maxBytes} bytes. Send less at once.`);
