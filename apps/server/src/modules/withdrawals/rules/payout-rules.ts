import { type PayoutRule, payoutRulesValue } from '@tizara/contract/staff-payout-rules'
import { formatUnits } from '@tizara/money'
import { type Selectable, sql } from 'kysely'
import * as v from 'valibot'
import { writeJson } from '../../../http/server/json.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { PayoutRulesTable } from '../../../platform/db/tables.generated.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { EncryptedColumn } from '../../../platform/crypto/encrypted-column.ts'
import type { DataKeys } from '../../../platform/crypto/encrypt.ts'
import { isMacOf, macOf } from '../../../platform/crypto/row-mac.ts'
import { auditRows, type AuditResult } from '../../../ledger/index.ts'
import { latestActionOn, listRestores } from '../../audit/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { limitsOf } from '../guard/day-limit.ts'

/** MACs over the versions of the rules. */
export const payoutRuleMacs: EncryptedColumn = { table: 'payout_rules', key: 'version', column: 'rules_mac', purpose: 'payout rules' }

type Row = Selectable<PayoutRulesTable>
type MacFields = Pick<Row, 'starts_at' | 'rules' | 'created_at' | 'created_by'>

const macFields = (row: MacFields) => [row.starts_at.toISOString(), row.rules, row.created_at.toISOString(), row.created_by ?? 'none']
const isRulesMac = (keys: DataKeys, row: Row) => isMacOf(keys, payoutRuleMacs.purpose, row.rules_mac, macFields(row))

/** Audit subject of the rules, and the action that stops them. */
export const RULES_SUBJECT = { type: 'payout_rules', id: 'rules' }
export const STOP_RULES = 'payout-rules.stop'

/** Reason for the version that supersedes a cancelled one. */
const SUPERSEDED = 'A planned proposal was cancelled'

/** The state of the rules at a moment. */
export interface PayoutRules {
  /** Version in force; 0 before the first. */
  version: number
  /** Rules in force; empty if they are off. */
  rules: readonly PayoutRule[]
  offWhy?: 'NONE' | 'STOPPED' | 'RESTORED' | 'FORGED'
  row: Row | undefined
}

const inForce = (db: Db, at: Date) =>
  db
    .selectFrom('payout_rules')
    .selectAll()
    .where('starts_at', '<=', at)
    .orderBy('starts_at', 'desc')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Reads the rules of a version; none if they no longer fit the schema. */
export function rulesOf(row: Pick<Row, 'rules'> | undefined): PayoutRule[] {
  const read = v.safeParse(payoutRulesValue, row === undefined ? {} : JSON.parse(row.rules))
  return read.success ? read.output.rules : []
}

/**
 * Reads the rules in force at a moment. They are off after one person stopped them, after the restore of a backup, and if this application
 * did not write the row. They stay off until two people approve rules again. A backup may contain rules that were stopped later, and lacks
 * the payouts that they approved since.
 */
export async function payoutRulesAt(db: Db, { config }: Pick<Deps, 'config'>, at: Date): Promise<PayoutRules> {
  const row = await inForce(db, at)
  if (row === undefined) return { version: 0, rules: [], offWhy: 'NONE', row }
  const off = (offWhy: NonNullable<PayoutRules['offWhy']>): PayoutRules => ({ version: row.version, rules: [], offWhy, row })
  if (!isRulesMac(config, row)) return off('FORGED')
  const stop = await latestActionOn(db, RULES_SUBJECT, [`staff.${STOP_RULES}`])
  if (stop !== undefined && stop.at >= row.created_at) return off('STOPPED')
  if ((await listRestores(db)).some((restore) => restore.at >= row.created_at)) return off('RESTORED')
  const rules = rulesOf(row)
  return rules.length === 0 ? off('STOPPED') : { version: row.version, rules, row }
}

/** Lists the newest version at each later start, in order. */
export function plannedPayoutRules(db: Db, at: Date): Promise<Row[]> {
  return db
    .selectFrom('payout_rules')
    .distinctOn('starts_at')
    .selectAll()
    .where('starts_at', '>', at)
    .orderBy('starts_at')
    .orderBy('version', 'desc')
    .execute()
}

/** Returns the last rules that were in force, to propose them again after a stop. A later version with the same start supersedes one. */
export async function latestPayoutRules(db: Db, at: Date): Promise<PayoutRule[]> {
  const { rows } = await sql<Pick<Row, 'rules'>>`
    select rules from payout_rules v where starts_at <= ${at} and rules <> ${NO_RULES}
      and not exists (select from payout_rules n where n.starts_at = v.starts_at and n.version > v.version)
    order by starts_at desc, version desc limit 1`.execute(db)
  return rulesOf(rows[0])
}

/** A set of rules and the person who approved it. */
export interface NewPayoutRules {
  rules: readonly PayoutRule[]
  actorId: bigint | null
  reason: string
}

const json = (rules: readonly PayoutRule[]) => writeJson({ rules })
const NO_RULES = json([])

/** Inserts rules that are in force at once. The caller serializes the decisions about money. */
export const setPayoutRules = (tx: Tx, deps: Deps, input: NewPayoutRules): Promise<void> =>
  enter(tx, deps, { ...input, startsAt: deps.clock.now() })

/**
 * Rebuilds the planned versions from the current rules and the approved steps. A cancelled step is superseded, because versions are never
 * deleted.
 * @param steps future steps, ordered by start
 */
export async function schedulePayoutRules(tx: Tx, deps: Deps, steps: readonly (NewPayoutRules & { startsAt: Date })[]): Promise<void> {
  const now = deps.clock.now()
  const planned = new Map((await plannedPayoutRules(tx, now)).map((row) => [row.starts_at.getTime(), row.rules]))
  const starts = new Set([...planned.keys(), ...steps.map(({ startsAt }) => startsAt.getTime())])
  let current = (await payoutRulesAt(tx, deps, now)).rules
  for (const start of [...starts].toSorted((a, b) => a - b)) {
    const step = steps.findLast(({ startsAt }) => startsAt.getTime() === start)
    const next = step ?? { rules: current, actorId: null, reason: SUPERSEDED }
    if (planned.get(start) !== json(next.rules)) await enter(tx, deps, { ...next, startsAt: new Date(start) })
    current = next.rules
  }
}

async function enter(tx: Tx, deps: Deps, { rules, actorId, reason, startsAt }: NewPayoutRules & { startsAt: Date }): Promise<void> {
  const row = { starts_at: startsAt, rules: json(rules), created_at: deps.clock.now(), created_by: actorId, reason }
  await tx
    .insertInto('payout_rules')
    .values({ ...row, rules_mac: macOf(deps.config, payoutRuleMacs.purpose, macFields(row)) })
    .execute()
}

/**
 * Rejects rules above the sums for which payouts take two people, and above the sums paid in a day.
 * @throws AppError INVALID_INPUT with the rule's name
 */
export async function assertWithinLimits(tx: Tx, at: Date, rules: readonly PayoutRule[]): Promise<void> {
  const settings = await currentSettings(tx, at)
  for (const rule of rules) {
    if (rule.action !== 'approve') continue
    const alone = rule.kind === 'bridge' ? settings.fourEyesAboveCoin : settings.fourEyesAboveUsd
    const limits = limitsOf(settings, rule.kind)
    const unit = rule.kind === 'bridge' ? 'coin' : 'USD'
    const member = alone < limits.member ? alone : limits.member
    const fault =
      rule.memberDaySum > member
        ? `may approve at most ${formatUnits(member)} ${unit} a day for one member`
        : rule.daySum > limits.total
          ? `may approve at most ${formatUnits(limits.total)} ${unit} a day for all members`
          : undefined
    if (fault !== undefined) throw new AppError('INVALID_INPUT', {}, [{ path: 'value.rules', message: `“${rule.name}” ${fault}` }])
  }
}

/** Verifies the MACs of all versions for `ledger:audit`. A query cannot, because the database has no key. */
export const auditPayoutRules = (db: Db, keys: DataKeys): Promise<AuditResult> =>
  auditRows({ invariant: 'I17', title: 'each version of the payout rules was written by the application' }, async (after) => {
    const rows = await db
      .selectFrom('payout_rules')
      .selectAll()
      .where('version', '>', Number(after))
      .orderBy('version')
      .limit(500)
      .execute()
    return rows.map((row) => ({ id: BigInt(row.version), name: String(row.version), isValid: isRulesMac(keys, row) }))
  })
