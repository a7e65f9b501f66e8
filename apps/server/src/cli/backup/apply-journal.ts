import { importLines, journalName, type JournalLine, matchJournal, readJournal } from '../../modules/audit/index.ts'
import { revokeFactors, revokePasskeys, revokePasswords, revokeRecoveryCodes } from '../../modules/auth/index.ts'
import { memberByPublicId, repeatErasure, setActive, setSuspension, setPayoutStop } from '../../modules/members/index.ts'
import { suspendRestoredStaff, removeLostRoles } from '../../modules/staff/index.ts'
import { removeAddresses, repeatStops } from '../../modules/withdrawals/index.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { shellCommand } from '../../platform/runtime/release.ts'

/**
 * Content of the access journal for a restored database: all lines, and the lines after the backup; or the reason why the journal is
 * refused.
 */
type Journal = { all: JournalLine[]; lost: JournalLine[] } | { refused: string }

/** Reads the journal of a restored database and compares the two. */
async function journalOf(db: Db, { config }: Pick<Deps, 'config'>): Promise<Journal> {
  const name = await journalName(db)
  if (name === '') return { refused: 'the backup is from before the first run of a worker' }
  const read = readJournal(config, name)
  if ('refused' in read) return read
  const match = await matchJournal(db, read.lines)
  return 'refused' in match ? match : { all: read.lines, lost: match.lost }
}

/** Effect of the journal on a restored database. */
export interface JournalReport {
  /** For the audit entry of the restore. */
  detail: { line: number; mark: string; lost: number } | { refused: string }
  /** Lines for the operator. */
  lines: string[]
}

/**
 * Ends the access that ended after the backup, by the journal outside the database. Without a valid journal, suspends all staff
 * until they are confirmed, removes all payout addresses and recovery codes, and returns all pending payouts.
 */
export async function applyJournal(tx: Tx, deps: Deps): Promise<JournalReport> {
  const journal = await journalOf(tx, deps)
  return 'refused' in journal ? revokeAllAccess(tx, deps, journal.refused) : applyLost(tx, deps, journal)
}

async function revokeAllAccess(tx: Tx, deps: Deps, why: string): Promise<JournalReport> {
  const now = deps.clock.now()
  const suspended = await suspendRestoredStaff(tx, now)
  const addresses = await removeAddresses(tx, 'all', now)
  const codes = await revokeRecoveryCodes(tx, 'all')
  const payouts = await repeatStops(tx, 'all', now)
  return {
    detail: { refused: why },
    lines: [
      `The access journal cannot be used: ${why}.`,
      `The rights of all ${suspended.length} staff are therefore suspended, and ${addresses} payout addresses and ${codes} recovery codes were removed.`,
      `The worker returns ${payouts} confirmed payouts to their wallets, because their members may have stopped them after the backup.`,
      'Members who stopped their payouts after the backup can request payouts again. Ask those who wrote to you to stop them again.',
      'Accounts that were erased after the backup are not erased again. Ask the members who wrote to you, or close the accounts again.',
      `Confirm those who work for you now: ${shellCommand('staff confirm-staff EMAIL …')}. Once two admins are confirmed, they lift the others in the console.`,
    ],
  }
}

async function applyLost(tx: Tx, deps: Deps, { all, lost }: { all: JournalLine[]; lost: JournalLine[] }): Promise<JournalReport> {
  const now = deps.clock.now()
  // Before any change, because changes add lines.
  await importLines(tx, all)
  const linesOf = (kind: string) => lost.filter((line) => line.kind === kind)
  const latest = (kind: string) => new Map(linesOf(kind).map(({ subject, value }) => [subject, value]))
  const ids = (kind: string) => linesOf(kind).map(({ subject }) => subject)
  let blocked = 0
  for (const [subject, value] of latest('active')) {
    const member = value === 'false' ? await memberByPublicId(tx, subject) : undefined
    if (member?.is_active !== true) continue
    await setActive(tx, { id: member.id, isActive: false, at: now })
    blocked += 1
  }
  // The backup contains the earlier address, and an attack on its mailbox may have been the reason for the change.
  for (const subject of new Set(ids('email'))) {
    const member = await memberByPublicId(tx, subject)
    if (member?.is_active !== true) continue
    await setActive(tx, { id: member.id, isActive: false, at: now })
    blocked += 1
  }
  for (const [subject, value] of latest('suspension')) {
    const member = await memberByPublicId(tx, subject)
    if (member !== undefined && value !== '') await setSuspension(tx, { id: member.id, until: new Date(value), at: now })
  }
  let stopped = 0
  for (const [subject, value] of latest('payout-stop')) {
    const member = value === '' ? undefined : await memberByPublicId(tx, subject)
    if (member === undefined || member.payouts_stopped_at !== null) continue
    await setPayoutStop(tx, member.id, new Date(value))
    stopped += 1
  }
  const passwords = await revokePasswords(tx, ids('password'), now)
  const passkeys = await revokePasskeys(tx, ids('passkey'))
  const codes = await revokeRecoveryCodes(tx, ids('recovery-code'))
  const factors = await revokeFactors(tx, linesOf('second-factor'), now)
  const addresses = await removeAddresses(tx, ids('address'), now)
  // Also for members who resumed since: what waited at the time of a stop stays revoked (docs/decisions/0040-access-journal.md).
  const stoppers: bigint[] = []
  for (const subject of new Set(linesOf('payout-stop').flatMap((line) => (line.value === '' ? [] : [line.subject])))) {
    const member = await memberByPublicId(tx, subject)
    if (member !== undefined) stoppers.push(member.id)
  }
  const payouts = await repeatStops(tx, stoppers, now)
  const roles = await removeLostRoles(tx, deps, latest('role'))
  // After the blocks, which would end the closing.
  const erased = await repeatErasure(tx, ids('erased'), now)
  const last = all.at(-1)
  return {
    detail: { line: last?.line ?? 0, mark: last?.mark ?? '', lost: lost.length },
    lines: [
      `The access journal ends with line ${last?.line}, ${last?.mark}; ${lost.length} lines are newer than the backup. Compare it with the newest mailed head.`,
      `Blocked ${blocked} accounts, those with a newer email address included; ended ${passwords} passwords, ${passkeys} passkeys, ${codes} recovery codes, ${factors} authenticator apps and ${addresses} payout addresses again.`,
      ...(stopped === 0 ? [] : [`Stopped the payouts of ${stopped} members again, who stopped them after the backup.`]),
      ...(payouts === 0
        ? []
        : [`The worker returns ${payouts} confirmed payouts to their wallets: their members stopped all payouts after the backup.`]),
      ...(erased === 0 ? [] : [`The worker erases ${erased} accounts again, as soon as nothing stands in the way.`]),
      ...roles.map((role) => `Took a role away again: ${role}`),
    ],
  }
}
