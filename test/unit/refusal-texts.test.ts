/** Every refusal that a client can be told is in docs/api.md, word for word. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

const api = readFileSync(join(ROOT, "docs/api.md"), "utf8");

const REFUSAL = /new AppError\(\s*\d+,\s*(?:"(?<text>[^"]+)"|`(?<template>[^`]+)`|(?<name>[A-Z_]+)\b)/g;

/** The words of a template between what is filled in, where they are enough to know it by. */
const wordsOf = (template: string): string[] => template.split(/\$\{[^}]*\}/).filter((words) => words.length > 8);

const constantOf = (source: string, name: string): string[] => {
  const [, text, template] = new RegExp(`const ${name} =\\s*(?:"([^"]+)"|\`([^\`]+)\`)`).exec(source) ?? [];
  return wordsOf(text ?? template ?? "");
};

it("is in docs/api.md", () => {
  const paths = globSync("**/*.ts", { cwd: join(ROOT, "src"), exclude: ["ui/**"] });
  const texts = paths.flatMap((path) => {
    const source = readFileSync(join(ROOT, "src", path), "utf8");
    return [...source.matchAll(REFUSAL)].flatMap(({ groups: { text, template, name } = {} }) =>
      text === undefined ? (template === undefined ? constantOf(source, name ?? "") : wordsOf(template)) : [text],
    );
  });
  expect(texts.filter((text) => !api.includes(text))).toEqual([]);
  expect(texts.length).toBeGreaterThan(50);
});
