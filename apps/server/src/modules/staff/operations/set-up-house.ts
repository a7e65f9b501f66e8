import type { Proposal } from '@tizara/contract/staff-changes'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { countSubjectsOf, recordAudit, wasEverAudited } from '../../audit/index.ts'
import { memberByEmail } from '../../members/index.ts'
import { fundRewardPool } from '../../rewards/index.ts'
import { applySettings } from '../../settings/index.ts'
import { auditStaff, type StaffActor } from '../access/actor.ts'
import { applyProposal } from '../proposals/apply-proposal.ts'
import { asJson } from '../proposals/shared/as-json.ts'
import { grantRole } from '../people/grant-role.ts'
import { GRANTED_ALONE } from '../duties/cooling-off.ts'

export interface FirstHouse {
  /** Address of the first admin, lower case. */
  admin: string
  changes: readonly Pick<Proposal, 'subject' | 'value'>[]
  /** The operator's own money from outside that goes into the reward pool now. */
  pool: readonly { asset: 'usd' | 'coin'; amount: Units }[]
  /** Whether setup is finished, and closed from now on. */
  done?: boolean | undefined
}

const REASON = 'setup'
const SET_UP = 'house.set-up'
const CLOSED = 'house.close-setup'

/**
 * Opens a house: its first admin, and what it sells and promises, at once and without a second person, as there is none.
 * It can be repeated until setup is closed. Nothing of it is done when a part is refused.
 * @throws AppError STAFF_ONLY once setup is closed, or for another admin; and those of the changes
 */
export async function setUpHouse(tx: Tx, deps: Deps, { admin, changes, pool, done }: FirstHouse): Promise<void> {
  if (await isSetupClosed(tx)) throw new AppError('STAFF_ONLY')
  const actor = await soleAdmin(tx, deps, admin)
  // One version for the price and the settings: each of them alone could contradict what holds.
  const figures = changes.filter(({ subject }) => subject === 'price' || subject === 'settings' || subject === 'limits')
  if (figures.length > 0) {
    const values = Object.assign({}, ...figures.map(({ value }) => value)) as Parameters<typeof applySettings>[2]['changes']
    await applySettings(tx, deps, { changes: values, actorId: actor.memberId, reason: REASON })
  }
  for (const { asset, amount } of pool)
    await fundRewardPool(tx, deps, {
      asset: asset === 'usd' ? 'USD' : 'COIN',
      amount,
      source: 'operator',
      opening: true,
      by: actor,
      reason: REASON,
    })
  for (const change of changes) {
    if (!figures.includes(change)) await applyProposal(tx, deps, { ...change, reason: REASON } as Proposal, { maker: actor })
    await audit(tx, deps, actor, change.subject, asJson(change.value))
  }
  if (done === true) await auditStaff(tx, deps, actor, { action: CLOSED, subject: { type: 'house', id: 'setup' }, reason: REASON })
}

/**
 * Whether setup is closed for good: by hand, by a second person who is or ever was on the staff, or by the first posting of a
 * member. All three are read from records that nothing deletes, so that a sole admin who removes the colleagues does not get
 * setup back.
 */
async function isSetupClosed(tx: Tx): Promise<boolean> {
  if ((await wasEverAudited(tx, `staff.${CLOSED}`)) || (await wasEverAudited(tx, 'staff.change.approve'))) return true
  if ((await countSubjectsOf(tx, `staff.${GRANTED_ALONE}`)) > 1) return true
  const { rows } = await sql<{ closed: boolean }>`select
    (select count(*) from member where role <> 'MEMBER') > 1
    or exists (select from ledger_account where owner_id is not null and version > 0) as closed`.execute(tx)
  return rows[0]?.closed !== false
}

/** Records a refused attempt to set the house up, after its transaction has ended. */
export async function recordRefusedSetup(db: Db, deps: Pick<Deps, 'clock'>, error: unknown): Promise<void> {
  if (!(error instanceof AppError)) return
  const attempt = { action: `staff.${SET_UP}`, subject: { type: 'house', id: 'setup' }, reason: REASON, outcome: error.code }
  await inTransaction(db, (tx) => recordAudit(tx, { at: deps.clock.now(), actorId: null, actorRole: 'SYSTEM', ...attempt }))
}

async function soleAdmin(tx: Tx, deps: Deps, email: string): Promise<StaffActor> {
  const { rows } = await sql<{ email: string }>`select email from member where role <> 'MEMBER' limit 2`.execute(tx)
  if (rows.length === 0) await grantRole(tx, deps, null, { email, name: email, phone: '', role: 'ADMIN' }, REASON)
  else if (rows.length > 1 || rows[0]?.email !== email) throw new AppError('STAFF_ONLY')
  const member = await memberByEmail(tx, email)
  if (member?.role !== 'ADMIN' || !member.is_active) throw new AppError('STAFF_ONLY')
  return { memberId: member.id, role: 'ADMIN' }
}

const audit = (tx: Tx, deps: Deps, actor: StaffActor, subject: string, after: unknown) =>
  auditStaff(tx, deps, actor, { action: SET_UP, subject: { type: 'house', id: subject }, reason: REASON, detail: { after } })
