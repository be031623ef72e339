/** What a call's card shows beside its title: input and output when it is unfolded, and links to the stocks it was about. */
import { isRecord, parseJson } from "../../../../contract/parse-json.ts";
import { cutText } from "../../../../contract/plain-text.ts";
import { DiffView, MonoBox } from "../../permission/diff-view.tsx";
import { ForeignText, shownText } from "../../permission/foreign-text.tsx";
import type { LiveOutput, ToolItem } from "../../stream/transcript-item.ts";
import { LiveOutputBox } from "./live-tail.tsx";

/** Indented JSON of a value; a string stays as it is. */
const prettyJson = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");

/** Indents a result that is JSON and returns any other unchanged. Very long ones are not worth the time. */
export const prettyText = (text: string): string => {
  if (!/^\s*[[{]/.test(text) || text.length > MAX_LENGTH) return text;
  try {
    return prettyJson(parseJson(text));
  } catch {
    return text;
  }
};

const MAX_LENGTH = 200_000;

const OPERATIONS = { create: "Created", update: "Changed", delete: "Deleted" } as const;

/** A command's result without the output that is shown above it. A part that differs from that output, such as a cut one, stays. */
export const withoutLiveOutput = (result: string, { parts, leftOut }: LiveOutput): string => {
  if (leftOut > 0) return result;
  return (["stdout", "stderr"] as const).reduce((text, name) => {
    const said = parts.flatMap(({ stream, text: part }) => (stream === name ? [part] : [])).join("");
    const section = `\n${name}:\n${said.trimEnd()}`;
    const [before = "", ...after] = said.trim() === "" ? [text] : text.split(section);
    const rest = after.join(section);
    return after.length > 0 && /^($|\nstderr:\n|\n\[)/.test(rest) ? before + rest : text;
  }, result);
};

/** What went into a call and what came out. Rendered only while unfolded. */
export const ToolDetails = ({ item }: { readonly item: ToolItem }) => (
  <div class="tool-body">
    <h3>Input</h3>
    <MonoBox label="Input" text={prettyJson(item.input)} />
    {item.isInputTruncated && <CutHint />}
    {item.fileChanges.map(({ path, operation, diff, isTruncated }) => (
      <div key={path}>
        <h3>
          {OPERATIONS[operation]}{" "}
          <code>
            <ForeignText text={path} isCode />
          </code>
        </h3>
        <DiffView
          diff={diff}
          path={path}
          label={`Changes to ${shownText(path)}`}
          cut={isTruncated ? "lost" : undefined}
        />
        {isTruncated && <CutHint />}
      </div>
    ))}
    {item.live.parts.length > 0 && (
      <>
        <h3>Output</h3>
        <LiveOutputBox live={item.live} />
      </>
    )}
    {item.output !== undefined && item.output !== "" && (
      <>
        <h3>{item.status === "completed" ? "Result" : "Message"}</h3>
        <MonoBox label="Result" text={prettyText(withoutLiveOutput(item.output, item.live)).replaceAll("\r\n", "\n")} />
      </>
    )}
    {item.isOutputTruncated && <CutHint />}
  </div>
);

const CutHint = () => <p class="hint">Too long to show in full here. The agent has all of it.</p>;

/** Longest reason of a failure on a folded card, in UTF-16 units. */
const MAX_FAILURE_LENGTH = 160;

/** Why a call failed, in one line. Undefined if it did not fail or gives no reason, and for a command, whose output is its own text. */
export const failureOfCall = ({ status, output, kind }: FailureFacts): string | undefined => {
  if (status !== "failed" || kind === "execute") return undefined;
  const said = parse(output)?.error;
  const line = (typeof said === "string" ? said : (output ?? "")).trim().split("\n", 1)[0] ?? "";
  if (line === "") return undefined;
  return line.length > MAX_FAILURE_LENGTH ? `${cutText(line, MAX_FAILURE_LENGTH)}…` : line;
};

type FailureFacts = Pick<ToolItem, "status" | "output" | "kind">;

/** `label` is the link's text. */
export type TouchedStock = { readonly id: string; readonly label: string };

const WRITES: ReadonlySet<string> = new Set(["add-stock", "update-stock", "get-stock"]);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Most links on one card. A long import is better seen in the list. */
const MAX_LINKS = 5;

/** Stocks that exist after the call. Deleted ones have nothing to open. */
export const stocksOfCall = ({ tool, status, input, output }: CallFacts): readonly TouchedStock[] => {
  if (status !== "completed" || !WRITES.has(tool)) return [];
  const result = parse(output);
  const found = result === undefined ? [] : [result.stock, ...stocksOfResults(result.results)].flatMap(touched);
  if (found.length > 0) return found.slice(0, MAX_LINKS);
  return isRecord(input) ? touched({ id: input.id }) : [];
};

type CallFacts = Pick<ToolItem, "tool" | "status" | "input" | "output">;

const parse = (output: string | undefined): Readonly<Record<string, unknown>> | undefined => {
  try {
    const result: unknown = parseJson(output ?? "");
    return isRecord(result) ? result : undefined;
  } catch {
    // Cut for the stream, or not JSON.
    return undefined;
  }
};

const stocksOfResults = (results: unknown): readonly unknown[] =>
  Array.isArray(results) ? results.map((result: unknown) => (isRecord(result) ? result.stock : undefined)) : [];

const touched = (stock: unknown): readonly TouchedStock[] => {
  if (!isRecord(stock) || typeof stock.id !== "string" || !UUID.test(stock.id)) return [];
  return [{ id: stock.id, label: typeof stock.symbol === "string" ? `Open ${stock.symbol}` : "Open the stock" }];
};
