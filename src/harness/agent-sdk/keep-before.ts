/** Keeps a file before the SDK edits it, so that a person can undo the edit like one made by our own tools. */
import { log } from "../../contract/log.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import type { TurnJournal } from "../journal.ts";
import { stateOf } from "../tools/found-file.ts";
import type { ToolCall } from "../turn.ts";
import type { AgentHost } from "./agent-host.ts";
import type { HostSubject } from "./host-wire.ts";

/**
 * Reads the file from the host and keeps it. If the file cannot be read, or is no longer what was shown, nothing is kept. The host compares
 * the file once more, and an edit that is made nevertheless is listed as one that cannot be undone.
 */
export const keepBefore = async (
  { toolCallId }: ToolCall,
  subject: HostSubject,
  host: AgentHost,
  journal: TurnJournal,
): Promise<void> => {
  if (subject.type !== "edit") return;
  const { path, stateBefore: before, stateAfter: after } = subject;
  try {
    const found = await host.findFile(path);
    if ((await stateOf(found)) !== before) return;
    await journal.keepBefore(toolCallId, {
      path,
      before,
      after,
      bytes: found.type === "whole" ? found.bytes : undefined,
    });
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    log.warn("A file was not kept before an edit.", { error: error.message });
  }
};
