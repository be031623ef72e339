/** The place and the selection as navigation state, told whenever they change. */
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { useStore } from "../state/use-store.ts";
import { selection } from "../stocks/selection.ts";
import { reportNavigation } from "./report-navigation.ts";
import { screenState } from "./screen-state.ts";

/** Reports every change. Used once, by the shell. */
export const useReportNavigation = (): void => {
  const { url, path } = useLocation();
  const selectedIds = useStore(selection);
  useEffect(() => {
    const mark = url.indexOf("?");
    reportNavigation(screenState(path, mark < 0 ? "" : url.slice(mark), selectedIds));
  }, [url, path, selectedIds]);
};
