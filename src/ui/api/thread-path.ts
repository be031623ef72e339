/** Where a chat's own requests go. */
export const threadPath = (threadId: string): string => `/_framework/threads/${encodeURIComponent(threadId)}`;
