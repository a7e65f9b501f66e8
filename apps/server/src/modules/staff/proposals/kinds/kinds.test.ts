import { type ProposalSubject, proposalSubjects } from '@tizara/contract/staff-changes'
import { type Insertable, sql } from 'kysely'
import * as v from 'valibot'
import { afterEach, describe, expect, it } from 'vitest'
import { instance, lift, openStaffApp, reason } from '../../../../../test/staff-calls.ts'
import type { Person } from '../../../../../test/staff-instance.ts'
import { linkedAdmin, submit } from '../../../../../test/staff-proposals.ts'
import { AppError } from '../../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../../platform/db/database.ts'
import type { StaffProposalTable } from '../../../../platform/db/tables.generated.ts'
import { approveProposal, cancelProposal, rejectProposal } from '../decide-proposal.ts'
import { readProposal } from '../proposal.ts'
import { submitProposal } from '../submit-proposal.ts'
import { kinds } from './index.ts'

await openStaffApp()
const { db, deps, clock } = instance.at
const actor = ({ id }: Pick<Person, 'id'>) => ({ memberId: id, role: 'ADMIN' as const })
type ProposalAction = 'propose' | 'approve' | 'reject' | 'cancel'

/**
 * Actions allowed on a proposal about oneself, because they only take from that member. For `staff`, the person gives up an
 * admin's role.
 */
const TAKES_FROM_SELF: Partial<Record<ProposalSubject, readonly ProposalAction[]>> = {
  credit: ['reject', 'cancel'],
  special: ['reject', 'cancel'],
  staff: ['propose', 'reject', 'cancel'],
  sessions: ['propose'],
  suspension: ['reject', 'cancel'],
}

/** Subjects without members. */
const ABOUT_NOBODY: readonly ProposalSubject[] = [
  'price',
  'settings',
  'plan',
  'nft',
  'popup',
  'limits',
  'programme',
  'commitment',
  'values',
  'payout-rules',
  'api-key',
  'brand',
  'terms-of-use',
  'message',
  'webhook',
  'screening-list',
  'fund',
  'import',
  'resume-platform',
  'cold-move',
  'proceeds',
]

const stored = (id: string) => db.selectFrom('staff_proposal').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()

/** Copies a stored proposal, bypassing the application. */
async function copyOf(id: string, changes: Partial<Insertable<StaffProposalTable>>): Promise<string> {
  const { id: _, value, base, effect, ...row } = await stored(id)
  const publicId = deps.ids.publicId()
  const json = { value: JSON.stringify(value), base: JSON.stringify(base), effect: effect === null ? null : JSON.stringify(effect) }
  await db
    .insertInto('staff_proposal')
    .values({ ...row, ...json, public_id: publicId, ...changes })
    .execute()
  return publicId
}

/** Inserts an approved copy that starts tomorrow. No kind about members supports scheduling today. */
const scheduledCopy = (id: string) =>
  copyOf(id, {
    status: 'APPROVED',
    decided_by: instance.checker.id,
    decided_at: clock.now(),
    starts_at: new Date(clock.now().getTime() + DAY_MS),
  })

/** Reads the members named in a stored proposal from the database, without the kind. */
async function membersNamed({ subject, value }: { subject: string; value: unknown }): Promise<bigint[]> {
  const { memberId = '', email = '', kind, id = '', about, transferId = '0', deposit = '' } = value as Record<string, string>
  const { rows } = await sql<{ id: bigint }>`
    select id from member where public_id = ${memberId} or email = ${subject === 'purchase-reversal' ? '' : email}
    union select member_id from coin_purchase where ${subject === 'purchase-reversal' && kind === 'coin'} and public_id = ${id}
    union select member_id from deposit where ${subject === 'payment-return'} and public_id = ${deposit}
    union select member_id from payout_request where ${about === 'payout'} and public_id = ${id}
    union select a.owner_id from ledger_transfer t join ledger_account a on a.id in (t.debit_account, t.credit_account)
      where ${subject === 'reversal'} and t.id = ${transferId}::bigint and a.owner_id is not null`.execute(db)
  return rows.map((row) => row.id)
}

/** Returns an action's outcome: `ok`, or the error code. The action is rolled back. */
async function outcomeOf(action: ProposalAction, who: Pick<Person, 'id'>, id: string, scheduled: string): Promise<string> {
  const row = await stored(id)
  try {
    await inTransaction(db, async (tx) => {
      if (action === 'propose') await submitProposal(tx, deps, actor(who), readProposal(row))
      if (action === 'approve') await approveProposal(tx, deps, actor(who), { id })
      if (action === 'reject') await rejectProposal(tx, deps, actor(who), { id, reason })
      if (action === 'cancel') await cancelProposal(tx, deps, actor(who), { id: scheduled, reason })
      throw new RolledBack()
    })
  } catch (error) {
    if (error instanceof RolledBack) return 'ok'
    if (error instanceof AppError) return error.code
    throw error
  }
  return 'ok'
}
class RolledBack extends Error {}

const audited = async (id: string) => {
  const rows = await db
    .selectFrom('audit_event')
    .select(['action', 'outcome', 'actor_id'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ action, outcome, actor_id }) => [action, outcome, actor_id])
}
const makeAdmin = (id: bigint) =>
  db.updateTable('member').set({ role: 'ADMIN', is_active: true, suspended_until: null }).where('id', '=', id).execute()

describe('kind of proposal', () => {
  // The proposal to lift the pause first pauses the platform.
  afterEach(lift)

  it.each(proposalSubjects)('[I7] excludes the members of %s and their linked accounts from all four actions', async (subject) => {
    const id = await submit(subject, instance.maker)
    const row = await stored(id)
    const members = await membersNamed(row)
    expect(members.length > 0).toBe(!ABOUT_NOBODY.includes(subject) && subject !== 'chain-answer')
    const scheduled = await scheduledCopy(id)
    for (const member of members) {
      await makeAdmin(member)
      const twin = await linkedAdmin({ id: member })
      for (const action of ['propose', 'approve', 'reject', 'cancel'] as const) {
        const own = await outcomeOf(action, { id: member }, id, scheduled)
        expect([action, own]).toEqual([action, TAKES_FROM_SELF[subject]?.includes(action) === true ? 'ok' : 'FOUR_EYES'])
        expect([action, 'linked', await outcomeOf(action, twin, id, scheduled)]).toEqual([action, 'linked', 'FOUR_EYES'])
      }
    }
  })

  it.each(proposalSubjects)('[I7] [I17] needs two people for %s, records every action and expires after 14 days', async (subject) => {
    const { maker, checker } = instance
    const [rejected, approved] = [await submit(subject, maker), await submit(subject, maker)]
    expect(await outcomeOf('approve', maker, approved, '')).toBe('FOUR_EYES')
    expect(await outcomeOf('approve', await linkedAdmin(maker), approved, '')).toBe('FOUR_EYES')
    expect(await audited(approved)).toEqual([['staff.change.propose', 'ok', maker.id]])
    const cancelled = await scheduledCopy(rejected)
    await inTransaction(db, (tx) => rejectProposal(tx, deps, actor(checker), { id: rejected, reason }))
    expect(await audited(rejected)).toEqual([
      ['staff.change.propose', 'ok', maker.id],
      ['staff.change.reject', 'ok', checker.id],
    ])
    await inTransaction(db, (tx) => cancelProposal(tx, deps, actor(checker), { id: cancelled, reason }))
    expect(await audited(cancelled)).toContainEqual(['staff.change.cancel', 'ok', checker.id])
    const expired = await copyOf(approved, { created_at: new Date(clock.now().getTime() - 14 * DAY_MS) })
    for (const action of ['approve', 'reject'] as const)
      expect([action, await outcomeOf(action, checker, expired, '')]).toEqual([action, 'CHANGE_OUTDATED'])
    expect((await instance.get(`/staff/changes/${expired}`, checker)).body.data).toMatchObject({ status: 'OUTDATED', canDecide: false })
    await inTransaction(db, (tx) => approveProposal(tx, deps, actor(checker), { id: approved }))
    expect(await audited(approved)).toContainEqual(['staff.change.approve', 'ok', checker.id])
  })

  it('accepts the address of an imported member who has none, except for staff', () => {
    const address = 'old=gmail.com.1@invalid'
    const refusing = Object.entries(kinds).filter(([, { value }]) => {
      const issues: v.BaseIssue<unknown>[] = v.safeParse(value, { email: address, otherEmail: address }).issues ?? []
      // Kinds without an address reject the key.
      return issues.some((issue) => issue.type !== 'strict_object' && /^(email|otherEmail)$/.test(v.getDotPath(issue) ?? ''))
    })
    expect(refusing.map(([subject]) => subject)).toEqual(['staff', 'sessions', 'suspension'])
  })

  it('[I7] excludes the owner of a payout from cancelling a decision about it', async () => {
    const owner = await instance.person()
    const value = { about: 'payout', id: await instance.withdrawal(owner, 20n), answer: 'GIVE_BACK', what: 'lost' }
    const id = await copyOf(await submit('chain-answer', instance.maker), { value: JSON.stringify(value) })
    await makeAdmin(owner.id)
    const twin = await linkedAdmin(owner)
    for (const who of [owner, twin]) expect(await outcomeOf('reject', who, id, '')).toBe('FOUR_EYES')
    expect(await outcomeOf('reject', instance.checker, id, '')).toBe('ok')
  })
})
