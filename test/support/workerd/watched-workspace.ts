/** The product's workspace object, with points to die and to hang at and a word when a command begins. */
import { WorkspaceObject } from "../../../src/workspace/durable/workspace-object.ts";
import { type CrashStep, passCrashPoint } from "./crash-plan.ts";
import { limitSql } from "./row-limit.ts";

let started = Promise.withResolvers<void>();

/** Resolves when the next command of any workspace begins. Call it before what makes it begin. */
export const nextCommand = (): Promise<void> => {
  started = Promise.withResolvers<void>();
  return started.promise;
};

/** Dies where the plan for any of its workspaces says so; the plan's id is `workspace`. */
export class WatchedWorkspaceObject extends WorkspaceObject {
  constructor(...args: ConstructorParameters<typeof WorkspaceObject>) {
    limitSql(args[0].storage.sql);
    super(...args);
  }

  override write(...args: Parameters<WorkspaceObject["write"]>) {
    return this.#around("write", () => super.write(...args));
  }
  override stat(...args: Parameters<WorkspaceObject["stat"]>) {
    return this.#around("stat", () => super.stat(...args));
  }
  override find(...args: Parameters<WorkspaceObject["find"]>) {
    return this.#around("find", () => super.find(...args));
  }
  override run(...args: Parameters<WorkspaceObject["run"]>) {
    return this.#around("run", () => {
      const running = super.run(...args);
      started.resolve();
      return running;
    });
  }

  async #around<Result>(step: CrashStep, work: () => Promise<Result>): Promise<Result> {
    await passCrashPoint("workspace", `before ${step}`, this.ctx);
    const result = await work();
    await passCrashPoint("workspace", `after ${step}`, this.ctx);
    return result;
  }
}
