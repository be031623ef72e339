/** The model of one chat: what can be chosen, the current choice, and how to change it. */
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import type { HarnessName } from "../../../contract/ids.ts";
import type { ModelList, ModelView } from "../../../contract/models.ts";
import { isRecord, parseJson } from "../../../contract/parse-json.ts";
import { requestJson } from "../../api/request-json.ts";
import { DEFAULT_CHOICE, isRefusedChoice, type ModelChoice, settleChoice } from "./model-choice.ts";

const STORAGE_KEY = "tally.models";

/** How many chats' choices are kept. The oldest choice is dropped first. */
const MAX_CHATS = 100;

/** `chats` are ids with their choices, newest last. */
type KeptChoices = { readonly last: ModelChoice; readonly chats: readonly (readonly [string, ModelChoice])[] };

/**
 * The choice that a chat starts with: its own, or the last one made if the chat is new. `person.ts` drops all choices, with
 * everything else under `tally.`, when somebody else signs in.
 */
const readChoice = (threadId: string, isNew: boolean): ModelChoice => {
  const { last, chats } = parseChoices(localStorage.getItem(STORAGE_KEY));
  return chats.find(([id]) => id === threadId)?.[1] ?? (isNew ? last : DEFAULT_CHOICE);
};

/** Stores what was picked in a chat; new chats start with it too. */
const keepPick = (threadId: string, choice: ModelChoice): void =>
  keep((kept) => ({ last: choice, chats: withChat(kept.chats, threadId, choice) }));

/** Stores the choice that a chat's message was sent with, so that the chat keeps it when the last choice changes. */
export const keepSent = (threadId: string, choice: ModelChoice): void => {
  if (choice.model === undefined && choice.effort === undefined) return;
  keep((kept) => ({ ...kept, chats: withChat(kept.chats, threadId, choice) }));
};

/** Adds a chat's choice as the newest. */
export const withChat = (chats: KeptChoices["chats"], threadId: string, choice: ModelChoice): KeptChoices["chats"] =>
  [...chats.filter(([id]) => id !== threadId), [threadId, choice] as const].slice(-MAX_CHATS);

/** Parses stored choices. Anything else gives the default. */
export const parseChoices = (stored: string | null): KeptChoices => {
  let kept: unknown;
  try {
    kept = parseJson(stored ?? "null");
  } catch {
    // Not JSON: treated as nothing stored.
  }
  if (!isRecord(kept)) return { last: DEFAULT_CHOICE, chats: [] };
  const chats: readonly unknown[] = Array.isArray(kept.chats) ? kept.chats : [];
  return { last: parseChoice(kept.last), chats: chats.flatMap(parseChat) };
};

const keep = (change: (kept: KeptChoices) => KeptChoices): void => {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(change(parseChoices(localStorage.getItem(STORAGE_KEY)))));
  } catch {
    // The storage is full: the choice lasts until a reload.
  }
};

const parseChat = (entry: unknown): KeptChoices["chats"] => {
  const [id, choice]: readonly unknown[] = Array.isArray(entry) ? entry : [];
  return typeof id === "string" ? [[id, parseChoice(choice)]] : [];
};

const parseChoice = (choice: unknown): ModelChoice => {
  const { model, effort } = isRecord(choice) ? choice : {};
  return {
    ...(typeof model === "string" ? { model } : {}),
    ...(typeof effort === "string" ? { effort } : {}),
  };
};

/** What people call the harnesses. */
export const HARNESS_NAMES: Readonly<Record<HarnessName, string>> = {
  anthropic: "Messages API",
  "agent-sdk": "Agent SDK",
};

const MODELS_KEY = ["models"] as const;

/** The models on offer change only with a deployment. */
const FRESH_MS = 3_600_000;

export type ChatModel = {
  /** Undefined until they are loaded, or when they cannot be: turns then use the default. */
  readonly models: readonly ModelView[] | undefined;
  /** What drives the model. */
  readonly harness: HarnessName | undefined;
  /** The real directory that the agent works in, if it does. */
  readonly workspaceDir: string | undefined;
  /** The models are being loaded. */
  readonly isPending: boolean;
  /** Sent with each turn. */
  readonly choice: ModelChoice;
  readonly pick: (choice: ModelChoice) => void;
  /** Resets to the default when the server has refused the choice. */
  readonly onRefused: (error: unknown) => void;
};

/** Give the component the thread's id as key: the choice is read once, at its first render. */
export const useModelChoice = (threadId: string, isNew: boolean): ChatModel => {
  const client = useQueryClient();
  const { data, isPending } = useQuery<ModelList>({
    queryKey: MODELS_KEY,
    queryFn: ({ signal }) => requestJson("/_framework/models", { signal }),
    staleTime: FRESH_MS,
  });
  const [picked, setPicked] = useState(() => readChoice(threadId, isNew));
  const pick = (choice: ModelChoice): void => {
    setPicked(choice);
    keepPick(threadId, choice);
  };
  const onRefused = (error: unknown): void => {
    if (!isRefusedChoice(error)) return;
    pick(DEFAULT_CHOICE);
    void client.invalidateQueries({ queryKey: MODELS_KEY });
  };
  const models = data?.models;
  return {
    models,
    harness: data && (data.harness ?? "anthropic"),
    workspaceDir: data?.workspaceDir,
    isPending,
    choice: models ? settleChoice(picked, models) : picked,
    pick,
    onRefused,
  };
};
