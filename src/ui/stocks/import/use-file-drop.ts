/** Files dropped anywhere on the page. Without it, one that misses its target would open instead of the app. */
import { useEffect, useRef } from "preact/hooks";

/** `onFile` gets the first file of a drop, `onOver` whether one is held over the page. */
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
