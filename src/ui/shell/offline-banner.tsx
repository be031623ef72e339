/** Says when the device is offline: what is shown may be old, and nothing can be changed. */
import { IconCloudOff } from "@tabler/icons-preact";
import type { Store } from "../state/store.ts";
import { useStore } from "../state/use-store.ts";

/** Whether the browser believes it is online. */
const online: Store<boolean> = {
  get: () => navigator.onLine,
  // The device decides, not the page.
  set: () => {},
  subscribe: (listener) => {
    addEventListener("online", listener);
    addEventListener("offline", listener);
    return () => {
      removeEventListener("online", listener);
      removeEventListener("offline", listener);
    };
  },
};

/** Nothing while online. */
export const OfflineBanner = () => {
  const isOnline = useStore(online);
  return (
    <div role="status">
      {!isOnline && (
        <p class="banner">
          <IconCloudOff size={18} stroke={1.75} aria-hidden="true" />
          You are offline. What you see may be old, and changes have to wait.
        </p>
      )}
    </div>
  );
};
