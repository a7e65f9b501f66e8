import { mulDiv, ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/database.ts'
import { coverageOf, currentProgramme, liabilityOf, type Sale } from '../../../rewards/index.ts'
import { figure, grouped, percentText } from '../../access/figures.ts'
import type { EffectRow } from './proposal-kind.ts'

/** Reads a field of stored JSON as units; 0 if absent. */
export const unitsAt = (fields: unknown, key: string): Units =>
  figure(typeof fields === 'object' && fields !== null ? Reflect.get(fields, key) : 0)

/** SQL: a moment lies within the effect's days. */
export const inDays = (column: ReturnType<typeof sql>, from: Date, to: Date) => sql<boolean>`(${column} >= ${from} and ${column} < ${to})`

/**
 * Returns the liabilities from 30 days of sales before and after, and their share of all liabilities, debts and commitments.
 */
export async function liabilityRows(db: Db, asset: 'COIN' | 'USD', [old, next]: readonly [Sale, Sale], at: Date): Promise<EffectRow[]> {
  const rules = await currentProgramme(db, at)
  const [before, after] = [liabilityOf(old, rules), liabilityOf(next, rules)]
  const { committed, promised, owed } = await coverageOf(db, asset)
  const unit = asset === 'COIN' ? 'coin' : 'USD'
  const share = promised + owed > 0n ? mulDiv(after - before, 100n * ONE, promised + owed + committed, 'down') : 0n
  return [
    { label: 'Liabilities from 30 days of such sales', before: grouped(before), after: grouped(after), unit, good: after <= before },
    ...(share === 0n ? [] : [{ label: 'Share of all current liabilities and commitments', after: percentText(share), good: share < 0n }]),
  ]
}
