import type { ReplyOf } from '@tizara/contract'
import type { staffAuditChain } from '@tizara/contract/staff-audit'
import type { JobKind } from '../../../jobs/background-job.ts'
import { recordCommandRun } from '../../../jobs/command-runs.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { auditHead, chainStart, followChain, auditLogLength } from '../../audit/index.ts'
import { savedAnchors } from './audit-anchor-file.ts'
import { type AuditLogFault, firstHeadMismatch, describeFault } from './audit-heads.ts'

/** Rows per step. */
const STEP = 5_000

interface Checkpoint {
  id: string
  hash: string
  rows: number
  total: number
  began: string
  bad?: AuditLogFault
}

/**
 * Checks the whole audit log: first each row against its hash and the previous row, then each saved head against the row
 * (`firstHeadMismatch`).
 */
export const auditCheckJob: JobKind<object, Checkpoint> = {
  name: 'staff-audit-check',
  step: async (tx, deps, { checkpoint }) => {
    const at = checkpoint ?? (await firstCheckpoint(tx, deps))
    const part = await followChain(tx, { id: BigInt(at.id), hash: at.hash }, STEP)
    const bad: AuditLogFault | undefined =
      at.bad ?? (part.firstBad === undefined ? undefined : { row: String(part.firstBad), what: 'CHANGED' })
    const rows = at.rows + part.rows
    const counted = { done: rows, total: Math.max(at.total, rows) }
    if (part.rows === STEP && part.last !== undefined) {
      const next = { ...at, id: String(part.last.id), hash: part.last.hash, rows }
      return { ...counted, next: bad === undefined ? next : { ...next, bad } }
    }
    const lastRow = part.last?.id ?? BigInt(at.id)
    const firstBad = bad ?? (await firstHeadMismatch(tx, deps.config, lastRow))
    await saveResult(tx, deps, { at, rows, lastRow, firstBad })
    return { ...counted, result: { ok: firstBad === undefined, rows, ...(firstBad === undefined ? {} : { firstBad }) } }
  },
}

async function firstCheckpoint(tx: Tx, deps: Deps): Promise<Checkpoint> {
  const { newer } = await auditLogLength(tx, 0n)
  return { id: String(chainStart.id), hash: chainStart.hash, rows: 0, total: newer, began: deps.clock.now().toISOString() }
}

async function saveResult(
  tx: Tx,
  deps: Deps,
  { at, rows, lastRow, firstBad }: { at: Checkpoint; rows: number; lastRow: bigint; firstBad: AuditLogFault | undefined },
): Promise<void> {
  const now = deps.clock.now()
  const anchor = savedAnchors(deps.config).at(-1)
  const values = {
    checked_at: now,
    took_ms: BigInt(now.getTime() - Date.parse(at.began)),
    rows: BigInt(rows),
    last_row: lastRow,
    bad_row: firstBad === undefined ? null : BigInt(firstBad.row),
    bad_what: firstBad?.what ?? null,
    anchor_row: anchor?.row ?? null,
    anchor_hash: anchor?.hash ?? null,
    anchor_at: anchor?.at ?? null,
  }
  await tx
    .insertInto('audit_check')
    .values(values)
    .onConflict((conflict) => conflict.column('one').doUpdateSet(values))
    .execute()
  await recordCommandRun(tx, 'audit-chain', firstBad === undefined, firstBad === undefined ? `${rows} rows` : describeFault(firstBad))
}

/** Reads the last check's result and the current head. */
export async function readChain(db: Db): Promise<ReplyOf<typeof staffAuditChain>> {
  const [check, head, anchor] = await Promise.all([
    db.selectFrom('audit_check').selectAll().executeTakeFirst(),
    auditHead(db),
    db.selectFrom('audit_anchor').selectAll().where('saved_at', 'is not', null).orderBy('day', 'desc').limit(1).executeTakeFirst(),
  ])
  const { since, newer } = await auditLogLength(db, check?.last_row ?? 0n)
  const compared = check !== undefined && check.anchor_row !== null && check.anchor_row === anchor?.event_id
  return {
    rows: Number(check?.rows ?? 0n) + newer,
    ...(since === undefined ? {} : { since }),
    ...(head === undefined ? {} : { head: { row: String(head.id), hash: head.hash, at: head.at } }),
    ...(check === undefined ? {} : { checkedAt: check.checked_at, tookMs: Number(check.took_ms), ok: check.bad_row === null }),
    ...(check?.bad_row === null || check === undefined
      ? {}
      : { firstBad: { row: String(check.bad_row), what: (check.bad_what ?? 'CHANGED') as AuditLogFault['what'] } }),
    ...(anchor === undefined
      ? {}
      : {
          anchor: {
            row: String(anchor.event_id),
            hash: anchor.hash,
            at: anchor.at,
            ...(compared ? { matches: check.anchor_hash === anchor.hash && (check.bad_what ?? 'CHANGED') === 'CHANGED' } : {}),
          },
        }),
  }
}
