import { sql } from 'kysely'
import type { AuditResult } from '../../ledger/index.ts'
import { type DataKeys, decrypt } from '../../platform/crypto/encrypt.ts'
import type { EncryptedColumn } from '../../platform/crypto/encrypted-column.ts'
import { macOf } from '../../platform/crypto/row-mac.ts'
import type { Db, Tx } from '../../platform/db/database.ts'

/** MACs over imports and all their stored rows. */
export const importMacs: EncryptedColumn = { table: 'import_batch', key: 'id', column: 'mac', purpose: 'imports' }

/** State that a MAC confirms: checked by the proposer's command, or approved by the second admin. */
type MacState = 'STAGED' | 'APPROVED'

type Batch = { id: bigint; mac: Buffer | null }

async function sumsOf(db: Db, batchId: bigint): Promise<string> {
  const batch = await db
    .selectFrom('import_batch')
    .select(['hash', 'members', 'referrals', 'usd', 'coin', 'promised_coin', 'promised_usd', 'balances', 'totals'])
    .where('id', '=', batchId)
    .executeTakeFirstOrThrow()
  return `import_batch ${Object.values(batch).join(' ')}`
}

/** Lists what a MAC covers, by table: the batch with its sums, and the digest of the rows of each table. */
async function factsOf(db: Db, batchId: bigint): Promise<string[]> {
  const { rows } = await sql<{ name: string; digest: string }>`select name, digest from import_digests(${batchId})`.execute(db)
  return [await sumsOf(db, batchId), ...rows.map(({ name, digest }) => `${name} ${digest}`)]
}

async function writeMac(tx: Db, keys: DataKeys, { batchId, state, facts }: { batchId: bigint; state: MacState; facts: readonly string[] }) {
  await tx
    .updateTable('import_batch')
    .set({ mac: macOf(keys, importMacs.purpose, [state, ...facts]) })
    .where('id', '=', batchId)
    .execute()
}

/** Confirms the stored rows of an import, as the check has read them from the files. */
export async function confirmStaged(tx: Tx, keys: DataKeys, batchId: bigint): Promise<void> {
  await writeMac(tx, keys, { batchId, state: 'STAGED', facts: await factsOf(tx, batchId) })
}

/**
 * Confirms the approval of an import, unless its sums are not those that the check read. Hashes no stored rows, so that the time does not
 * grow with them: the worker compares the rows with the same MAC before it adds them.
 * @returns false if the sums changed
 */
export async function confirmApproved(tx: Db, keys: DataKeys, { id, mac }: Batch): Promise<boolean> {
  const [state, sums, ...digests] = confirmedFacts(keys, mac)
  if (state !== 'STAGED' || sums !== (await sumsOf(tx, id))) return false
  await writeMac(tx, keys, { batchId: id, state: 'APPROVED', facts: [sums, ...digests] })
  return true
}

/**
 * Names the tables whose rows differ from the approved ones; with `STAGED`, from the checked ones. Someone who can only write to the
 * database can neither change rows nor approve an import.
 */
export async function changedTables(db: Db, keys: DataKeys, { id, mac }: Batch, state: MacState = 'APPROVED'): Promise<string[]> {
  return differences(confirmedFacts(keys, mac), [state, ...(await factsOf(db, id))])
}

const confirmedFacts = (keys: DataKeys, mac: Buffer | null): string[] =>
  mac === null ? [] : (decrypt(keys, importMacs.purpose, mac) ?? '').split('\n')

/** Returns the first words of lines that only one list has. The state belongs to `import_batch`. */
function differences(known: readonly string[], found: readonly string[]): string[] {
  const other = [...known.filter((line) => !found.includes(line)), ...found.filter((line) => !known.includes(line))]
  const names = other.map((line) => /^import_[a-z]+/.exec(line)?.[0] ?? 'import_batch')
  return [...new Set(names)].toSorted()
}

/** Verifies imports that wait for approval or for the worker, for `ledger:audit`. The others have no stored rows to apply. */
export async function auditImports(db: Db, keys: DataKeys): Promise<AuditResult> {
  const waiting = await db.selectFrom('import_batch').select(['id', 'hash', 'status', 'mac']).where('ended_at', 'is', null).execute()
  const examples: string[] = []
  for (const { id, hash, status, mac } of waiting) {
    const changed = await changedTables(db, keys, { id, mac }, status as MacState)
    if (changed.length > 0) examples.push(`${hash}: ${changed.join(', ')}`)
  }
  const title = 'each waiting import is as its check read it and a second admin approved it'
  return { check: { invariant: 'I17', title }, broken: examples.length, examples }
}
