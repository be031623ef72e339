/** Who asks for what: an owner, or the targets of all, with the key whose object this is. */
import { OwnerEmail } from "../../contract/ids.ts";
import type { Db } from "../../db/db.ts";
import type { Env } from "../../env.ts";
import { deploymentAccess, findAccess, fingerprintOf, licenceOf, type QuoteAccess, scopeOf } from "../find-access.ts";
import type { Asker } from "./ask-source.ts";
import { closesPace } from "./findings.ts";
import { isDeleted, isStill, keepOwner, keptBudget, noteKey, ownerOf, shareOf } from "./remembered.ts";
import { targetsLimit } from "./shares.ts";

/** Makes askers. There is none without a key, for a deleted account, or if another object uses the key: then the result is undefined. */
export class Askers {
  readonly #id: DurableObjectId;
  readonly #kv: DurableObjectStorage["kv"];
  readonly #env: Env;
  readonly #db: Db;

  constructor({ id, storage }: DurableObjectState, env: Env, db: Db) {
    this.#id = id;
    this.#kv = storage.kv;
    this.#env = env;
    this.#db = db;
  }

  /** The asker of an owner, within their share where the key is everybody's. */
  async of(owner: string): Promise<Asker | undefined> {
    if (isDeleted(this.#kv)) return undefined;
    if (licenceOf(this.#env) === "owner") {
      return this.#askerOf(isStill(this.#kv), await findAccess(this.#env, this.#db, OwnerEmail.parse(owner)));
    }
    const asker = await this.#ofDeployment();
    return asker && { ...asker, usedByAsker: shareOf(this.#kv, owner) };
  }

  /** Who asks for targets: the deployment, or the owner whose key it is. */
  async ofTargets(): Promise<Asker | undefined> {
    if (licenceOf(this.#env) === "display") return await this.#ofDeployment();
    const owner = ownerOf(this.#kv);
    return owner === undefined ? undefined : await this.of(owner);
  }

  /** Remembers whose key this is, if it is one person's. */
  async keepOwner(owner: string): Promise<void> {
    const scope = await scopeOf(this.#env, OwnerEmail.parse(owner));
    if (licenceOf(this.#env) === "owner" && this.#isOf(scope)) keepOwner(this.#kv, owner);
  }

  /** The asker with the key that the deployment has now. */
  async #ofDeployment(): Promise<Asker | undefined> {
    const key = await deploymentAccess(this.#env);
    if (key === undefined || !this.#isOf(key.scope)) return undefined;
    noteKey(this.#kv, await fingerprintOf(key));
    const asker = this.#askerOf(isStill(this.#kv), key);
    return asker && { ...asker, targetsLimit: targetsLimit(key.source.creditsADay, (name) => shareOf(this.#kv, name)) };
  }

  /** Undefined for a key of another scope, as happens after the deployment's licence was changed: another object uses it. */
  #askerOf(isCurrent: () => boolean, key: QuoteAccess | undefined): Asker | undefined {
    if (key === undefined || !this.#isOf(key.scope)) return undefined;
    return { key, budget: keptBudget(this.#kv), closesPace: closesPace(this.#kv), nowMs: Date.now, isCurrent };
  }

  #isOf(scope: string): boolean {
    return this.#id.equals(this.#env.QUOTES.idFromName(scope));
  }
}
