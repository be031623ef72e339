/** The title of a command, which people agree to: it is one line, and says when there is more than it shows. */
import { cutText } from "../../contract/cut-text.ts";

/** UTF-16 units of a command that a title shows. */
const MAX_SHOWN_LENGTH = 80;

/** `Run npm test`, or `Run make … and 120 more characters` for one that is longer or goes on in another line. */
export const commandTitle = (command: string): string => {
  const text = command.trim();
  const [line = ""] = text.split(/[\n\r\v\f\x85\u2028\u2029]/, 1);
  const shown = cutText(line, MAX_SHOWN_LENGTH).trimEnd();
  const left = text.length - shown.length;
  return left === 0 ? `Run ${shown}` : `Run ${shown} … and ${left} more characters`;
};
