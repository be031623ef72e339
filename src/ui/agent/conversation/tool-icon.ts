/** The picture of a tool. */
import {
  type Icon,
  IconArrowUpRight,
  IconEye,
  IconFileText,
  IconFolder,
  IconPencil,
  IconSearch,
  IconTerminal2,
  IconTrash,
  IconTrendingUp,
} from "@tabler/icons-preact";
import type { ToolItem } from "../transcript-item.ts";

const OF_TOOL: Readonly<Record<string, Icon>> = {
  read_file: IconFileText,
  list_files: IconFolder,
  search_files: IconSearch,
  delete_file: IconTrash,
  navigate: IconArrowUpRight,
  "delete-stock": IconTrash,
};

const OF_KIND: Readonly<Record<ToolItem["kind"], Icon>> = {
  read: IconEye,
  edit: IconPencil,
  execute: IconTerminal2,
};

/** By its name, else by what it does. */
export const toolIcon = ({ tool, kind }: Pick<ToolItem, "tool" | "kind">): Icon =>
  OF_TOOL[tool] ?? (/-stocks?$/.test(tool) ? IconTrendingUp : OF_KIND[kind]);
