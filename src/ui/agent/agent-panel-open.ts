/** Whether the agent's panel stands beside the screen, or as a sheet over it where there is no room beside. */
import { createStore } from "../state/store.ts";
import { ROOM_FOR_AGENT } from "../state/use-media.ts";

/** Open at the start where there is room. */
export const agentPanelOpen = createStore(matchMedia(ROOM_FOR_AGENT).matches);
