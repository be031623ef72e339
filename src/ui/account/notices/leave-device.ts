/** Ends pushes to this browser. Separate from `this-device`, because signing out loads no settings. */
import { appWorker } from "../../state/app-worker.ts";

/** Ends the browser's subscription and closes what it shows. The push service tells the server, which then removes the device. */
export const leaveDevice = async (): Promise<void> => {
  const worker = await appWorker();
  if (worker === undefined) return;
  for (const shown of await worker.getNotifications()) shown.close();
  await (await worker.pushManager.getSubscription())?.unsubscribe();
};
