/** Path of a run's event stream (spec §2). */
export const eventsPath = (runId: string): string => `/_framework/runs/${runId}/events`;
