/**
 * Small modules that several of the files that load later have in common. Each would be a file of its own, and a request;
 * the build has all of those files import this one instead (`split-plugin.ts`).
 */
import "./parts/keep-focus.ts";

export {
  IconCheck,
  IconChevronRight,
  IconDeviceDesktop,
  IconDownload,
  IconEye,
  IconPencil,
  IconStar,
  IconTrash,
} from "@tabler/icons-preact";
export { readCode } from "./account/read-code.ts";
export { sayWait } from "./account/say-wait.ts";
export { Dialog } from "./parts/dialog.tsx";
export { Field } from "./parts/field.tsx";
