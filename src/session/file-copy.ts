/**
 * A copy of the file that a harness keeps its session in, on a machine that may lose it. It only grows, so each turn adds what is new.
 */
import type { ObjectTables } from "../objects/object-tables.ts";
import { FILE_COPY_TABLES } from "./session-schema.ts";

/** A piece of the copy, and where it begins. */
export type CopiedPiece = { readonly offset: number; readonly bytes: ArrayBuffer };

/** How long the copy is, and a piece of it. */
export type Copied = { readonly size: number; readonly piece: CopiedPiece | undefined };

type Row = { start: number; bytes: ArrayBuffer };

/** The `file_copy` table of one session: a row for each piece. Writing is one transaction of its caller. */
export class FileCopy {
  readonly #tables: ObjectTables;

  constructor(tables: ObjectTables) {
    this.#tables = tables;
  }

  /** Bytes that are copied. */
  size(): number {
    if (!this.#tables.has("file_copy")) return 0;
    const size = "SELECT coalesce(max(start + length(bytes)), 0) AS size FROM file_copy";
    return this.#tables.sql.exec<{ size: number }>(size).one().size;
  }

  copied(offset: number): Copied {
    return { size: this.size(), piece: this.piece(offset) };
  }

  /** The first piece that begins at `offset` or after it; undefined after the last one. */
  piece(offset: number): CopiedPiece | undefined {
    if (!this.#tables.has("file_copy")) return undefined;
    const sql = "SELECT start, bytes FROM file_copy WHERE start >= ? ORDER BY start LIMIT 1";
    const [row] = this.#tables.sql.exec<Row>(sql, offset);
    return row && { offset: row.start, bytes: row.bytes };
  }

  /** Whether the piece is there, byte for byte. */
  has({ offset, bytes }: CopiedPiece): boolean {
    const there = this.piece(offset);
    if (there?.offset !== offset || there.bytes.byteLength !== bytes.byteLength) return false;
    const [known, given] = [new Uint8Array(there.bytes), new Uint8Array(bytes)];
    return known.every((byte, at) => byte === given[at]);
  }

  /**
   * Adds a piece at the end. At offset 0 it replaces everything, and an empty piece there leaves nothing. False when it would leave a gap.
   */
  add({ offset, bytes }: CopiedPiece): boolean {
    if (offset !== 0 && offset !== this.size()) return false;
    this.#tables.make(FILE_COPY_TABLES);
    if (offset === 0) this.#tables.sql.exec("DELETE FROM file_copy");
    if (bytes.byteLength > 0)
      this.#tables.sql.exec("INSERT INTO file_copy (start, bytes) VALUES (?, ?)", offset, bytes);
    return true;
  }
}
