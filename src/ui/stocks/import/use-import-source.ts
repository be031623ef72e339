/** The text to import: pasted, or read from a file that was chosen or dropped. */
import { useEffect, useRef, useState } from "preact/hooks";
import { decodeFile } from "./decode-file.ts";
import { MAX_IMPORT_BYTES } from "./import-limits.ts";

export type ImportSource = {
  readonly text: string;
  /** What is wrong with the file that was chosen last, with its remedy. */
  readonly problem: string | undefined;
  readonly write: (text: string) => void;
  readonly takeFile: (file: File) => void;
};

const TOO_LARGE = "The file is over 2 MB. Split it, or leave out columns.";
const UNREADABLE = "The file cannot be read. Choose it again, or paste its lines.";

/** `onFile` gets a file's text once it is read. Of two files in a row the later one counts. */
export const useImportSource = (onFile: (text: string) => void): ImportSource => {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const latest = useRef(0);
  useEffect(
    () => () => {
      latest.current += 1;
    },
    [],
  );
  const read = async (file: File): Promise<void> => {
    latest.current += 1;
    const turn = latest.current;
    const decoded = await readFile(file);
    if (turn !== latest.current) return;
    if ("problem" in decoded) {
      setProblem(`${file.name}: ${decoded.problem}`);
      return;
    }
    setProblem(undefined);
    setText(decoded.text);
    onFile(decoded.text);
  };
  const write = (typed: string): void => {
    latest.current += 1;
    setProblem(undefined);
    setText(typed);
  };
  return { text, problem, write, takeFile: (file) => void read(file) };
};

const readFile = async (file: File): Promise<ReturnType<typeof decodeFile>> => {
  if (file.size > MAX_IMPORT_BYTES) return { problem: TOO_LARGE };
  try {
    return decodeFile(new Uint8Array(await file.arrayBuffer()));
  } catch {
    // A folder, or a file that was moved or changed since; the browser does not say which.
    return { problem: UNREADABLE };
  }
};
