/** What the SDK's session file tells: how long it is, what the SDK was told, and where the SDK goes on. */
import * as z from "zod";
import { tryParseJson } from "../../contract/parse-json.ts";
import type { AgentHost } from "./agent-host.ts";

type SessionReader = Pick<AgentHost, "readSession">;

/** How long the session's file is, in bytes; 0 when there is none. */
export const sizeOf = async (sessionId: string, host: SessionReader): Promise<number> =>
  (await host.readSession(sessionId, Number.MAX_SAFE_INTEGER)).size;

/** The lines after that byte of the session's file that say what the SDK was told. The SDK notes other things before them. */
export const saidSince = async (offset: number, sessionId: string, host: SessionReader): Promise<string[]> => {
  const { bytes } = await host.readSession(sessionId, offset);
  return new TextDecoder()
    .decode(bytes)
    .split("\n")
    .filter((line) => line.includes('"type":"user"'));
};

/** A message has a `uuid`. When its process ends, but not when it is killed, the SDK notes the message after which it goes on. */
const SessionLine = z.looseObject({ uuid: z.string().exactOptional(), leafUuid: z.string().exactOptional() });

/** Whether the SDK goes on after a message that was added to the session's file since that byte. */
export const isInBranchSince = async (offset: number, sessionId: string, host: SessionReader): Promise<boolean> => {
  const added = new Set<string>();
  let leaf: string | undefined;
  for await (const line of linesSince(offset, sessionId, host)) {
    const { uuid, leafUuid } = SessionLine.safeParse(tryParseJson(line)).data ?? {};
    if (uuid !== undefined) added.add(uuid);
    if (leafUuid !== undefined) leaf = leafUuid;
  }
  return leaf !== undefined && added.has(leaf);
};

async function* linesSince(offset: number, sessionId: string, host: SessionReader): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for (let at = offset; ; ) {
    const { bytes } = await host.readSession(sessionId, at);
    if (bytes.byteLength === 0) break;
    at += bytes.byteLength;
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
