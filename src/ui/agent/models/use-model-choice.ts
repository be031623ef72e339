/** The model of one chat: what can be chosen, what is, and how it changes. */
import { useQuery, useQueryClient } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import type { ModelList, ModelView } from "../../../contract/models.ts";
import { requestJson } from "../../actions/request-json.ts";
import { keepPick, readChoice } from "./kept-choices.ts";
import { DEFAULT_CHOICE, isRefusedChoice, type ModelChoice, settleChoice } from "./model-choice.ts";

const MODELS_KEY = ["models"] as const;

/** What a deployment offers changes with the deployment. */
const FRESH_MS = 3_600_000;

/** One chat's model. */
export type ChatModel = {
  /** Undefined until they are known; they stay so where they cannot be read, and turns go to the default. */
  readonly models: readonly ModelView[] | undefined;
  /** The server is being asked for them. */
  readonly isPending: boolean;
  /** What goes along with a turn. */
  readonly choice: ModelChoice;
  readonly pick: (choice: ModelChoice) => void;
  /** Goes back to the default where the server has refused the choice. */
  readonly onRefused: (error: unknown) => void;
};

/** Give the component the thread's id as key: the choice is the one of its first render. */
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
  return { models, isPending, choice: models ? settleChoice(picked, models) : picked, pick, onRefused };
};
