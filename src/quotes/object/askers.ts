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
    if (licenceOf(this.#env) === "owner") {
      return await this.#askerWith(() => findAccess(this.#env, this.#db, OwnerEmail.parse(owner)));
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
    const asker = await this.#askerWith(() => deploymentAccess(this.#env));
    return (
      asker && {
        ...asker,
        targetsLimit: targetsLimit(asker.key.source.creditsADay, (name) => shareOf(this.#kv, name)),
      }
    );
  }

  /**
   * The asker with the key that there is now. Starts over if that is another one than before, since whoever entered it may have told
   * nobody. Undefined for a key of another scope, as happens after the deployment's licence was changed: another object uses it.
   */
  async #askerWith(find: () => Promise<QuoteAccess | undefined>): Promise<Asker | undefined> {
    if (isDeleted(this.#kv)) return undefined;
    const isUnchanged = isStill(this.#kv);
    const key = await find();
    if (key === undefined || !this.#isOf(key.scope)) return undefined;
    const fingerprint = await fingerprintOf(key);
    // It may have been replaced while it was read: then the one before must not be taken for the newer one.
    if (!isUnchanged()) return await this.#askerWith(find);
    noteKey(this.#kv, fingerprint);
    const isCurrent = isStill(this.#kv);
    return { key, budget: keptBudget(this.#kv), closesPace: closesPace(this.#kv), nowMs: Date.now, isCurrent };
  }

  #isOf(scope: string): boolean {
    return this.#id.equals(this.#env.QUOTES.idFromName(scope));
  }
}
