/** Which element shows which stock: a row that goes hands its element to one that comes, which is faster than a new one. */
import { useRef } from "preact/hooks";

/** A key for each stock on the page. A stock keeps its element, and with it the focus, for as long as it is there. */
export const useRowKeys = (ids: readonly string[]): ReadonlyMap<string, number> => {
  const keys = useRef<ReadonlyMap<string, number>>(new Map());
  const old = keys.current;
  const here = new Set(ids);
  const free = [...old].filter(([id]) => !here.has(id)).map(([, key]) => key);
  let fresh = Math.max(-1, ...old.values()) + 1;
  const next = new Map(ids.map((id) => [id, old.get(id) ?? free.shift() ?? fresh++]));
  keys.current = next;
  return next;
};
