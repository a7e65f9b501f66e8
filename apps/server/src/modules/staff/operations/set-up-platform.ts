import type { Proposal } from '@tizara/contract/staff-changes'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { renderLogo, storeLogo } from '../../brand/index.ts'
import { memberByEmail } from '../../members/index.ts'
import { fundRewardPool } from '../../rewards/index.ts'
import { applySettings, endSetup, hasSetupEnded } from '../../settings/index.ts'
import { auditStaff, type StaffActor } from '../access/actor.ts'
import { applyProposal } from '../proposals/apply-proposal.ts'
import { asJson } from '../proposals/shared/as-json.ts'
import { grantRole } from '../people/grant-role.ts'

export interface InitialSetup {
  /** The first admin's email, in lower case. */
  admin: string
  changes: readonly Pick<Proposal, 'subject' | 'value'>[]
  /** Files of the logos that the brand names. */
  logos?: readonly Buffer[]
  /** The operator's outside money for the reward pool. */
  pool: readonly { asset: 'usd' | 'coin'; amount: Units }[]
  /** True if the setup is complete and ends. */
  done?: boolean | undefined
}

const REASON = 'setup'
const SET_UP = 'platform.set-up'
const CLOSED = 'platform.close-setup'

/**
 * Sets up an instance: first admin, offer and rewards. No second person is required, because none exists yet. The operator may repeat the
 * command until the setup ends. If one part is rejected, everything is rolled back.
 * @throws AppError STAFF_ONLY once setup is closed, or for another admin; and the proposals' errors
 */
export async function setUpPlatform(tx: Tx, deps: Deps, { admin, changes, logos = [], pool, done }: InitialSetup): Promise<void> {
  if (await isSetupClosed(tx)) throw new AppError('STAFF_ONLY')
  const actor = await soleAdmin(tx, deps, admin)
  // Combines price, settings and limits in one version, because each of them alone could contradict current values.
  const figures = changes.filter(({ subject }) => subject === 'price' || subject === 'settings' || subject === 'limits')
  if (figures.length > 0) {
    const values = Object.assign({}, ...figures.map(({ value }) => value)) as Parameters<typeof applySettings>[2]['changes']
    await applySettings(tx, deps, { changes: values, actorId: actor.memberId, reason: REASON })
  }
  for (const bytes of logos) await storeLogo(tx, deps, actor.memberId, await renderLogo(bytes))
  for (const { asset, amount } of pool)
    await fundRewardPool(tx, deps, {
      asset: asset === 'usd' ? 'USD' : 'COIN',
      amount,
      source: 'operator',
      into: 'rewards',
      opening: true,
      by: actor,
      reason: REASON,
    })
  for (const change of changes) {
    if (!figures.includes(change)) await applyProposal(tx, deps, { ...change, reason: REASON } as Proposal, { proposer: actor })
    await audit(tx, deps, actor, change.subject, asJson(change.value))
  }
  if (done !== true) return
  await endSetup(tx, deps.clock.now())
  await auditStaff(tx, deps, actor, { action: CLOSED, subject: { type: 'platform', id: 'setup' }, reason: REASON })
}

/**
 * Returns true if setup is closed for good: manually, by a second staff member ever (`setStaffRole`), or by a member's first
 * posting. The row is permanent, so a sole admin cannot reopen setup by removing colleagues.
 */
async function isSetupClosed(tx: Tx): Promise<boolean> {
  if (await hasSetupEnded(tx)) return true
  const { rows } = await sql<{ closed: boolean }>`select
    (select count(*) from member where role <> 'MEMBER') > 1
    or exists (select from ledger_account where owner_id is not null and version > 0) as closed`.execute(tx)
  return rows[0]?.closed !== false
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
  auditStaff(tx, deps, actor, { action: SET_UP, subject: { type: 'platform', id: subject }, reason: REASON, detail: { after } })
