/** The text to import: pasted, or read from a file. */
import { useEffect, useRef, useState } from "preact/hooks";
import { outlivePage } from "../../account/outlive-page.ts";
import { LOCALE } from "../../format/format-number.ts";
import { decodeFile, TOO_LARGE } from "./read/decode-file.ts";
import { MAX_IMPORT_BYTES } from "./read/import-choices.ts";

export type ImportText = {
  readonly text: string;
  /** What is wrong with the last file, and what to do about it. */
  readonly problem: string | undefined;
  readonly write: (text: string) => void;
  readonly takeFile: (file: File) => void;
};

const UNREADABLE = "The file cannot be read. Choose it again, or paste its lines.";

/** Text that was neither imported nor discarded, kept while the dialog is closed. Undefined until it is first read. */
let begun: string | undefined;

/** The kept text. The first call takes what an earlier page left. */
const begunText = (): string => {
  begun ??= outlivePage("import", () => (begun ? [["text", begun]] : [])).get("text") ?? "";
  return begun;
};

/** `onFile` gets the text of a file. If another file is chosen meanwhile, only the later one counts. */
export const useImportText = (onFile: (text: string) => void): ImportText => {
  const [text, setText] = useState(begunText);
  const [problem, setProblem] = useState<string>();
  const latest = useRef(0);
  const hold = (next: string): void => {
    begun = next;
    setText(next);
  };
  useEffect(
    () => () => {
      latest.current += 1;
    },
    [],
  );
  const read = async (file: File): Promise<void> => {
    latest.current += 1;
    const reading = latest.current;
    const decoded = await readFile(file);
    if (reading !== latest.current) return;
    if ("problem" in decoded) {
      setProblem(`${file.name}: ${decoded.problem}`);
      return;
    }
    setProblem(undefined);
    hold(decoded.text);
    onFile(decoded.text);
  };
  const write = (typed: string): void => {
    latest.current += 1;
    setProblem(undefined);
    hold(typed);
  };
  return { text, problem, write, takeFile: (file) => void read(file) };
};

const readFile = async (file: File): Promise<ReturnType<typeof decodeFile>> => {
  if (file.size > MAX_IMPORT_BYTES) return { problem: TOO_LARGE };
  try {
    return decodeFile(new Uint8Array(await file.arrayBuffer()), LOCALE);
  } catch {
    // A folder, or a file that has been moved or changed: the browser does not say which.
    return { problem: UNREADABLE };
  }
};

/**
 * Accepts files dropped anywhere on the page. Otherwise the browser would open a file that misses the target.
 *
 * `onFile` gets the first file of a drop; `onOver` is told whether a file is being dragged over the page.
 */
export const useFileDrop = (onFile: (file: File) => void, onOver: (isOver: boolean) => void): void => {
  const latest = useRef({ onFile, onOver });
  latest.current = { onFile, onOver };
  useEffect(() => {
    const onDragOver = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      latest.current.onOver(true);
    };
    const onDrop = (event: DragEvent): void => {
      const [file] = event.dataTransfer?.files ?? [];
      latest.current.onOver(false);
      if (!file) return;
      event.preventDefault();
      latest.current.onFile(file);
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) latest.current.onOver(false);
    };
    addEventListener("dragover", onDragOver);
    addEventListener("drop", onDrop);
    addEventListener("dragleave", onLeave);
    return () => {
      removeEventListener("dragover", onDragOver);
      removeEventListener("drop", onDrop);
      removeEventListener("dragleave", onLeave);
    };
  }, []);
};
