import { email as emailSchema } from '@tizara/contract'
import { formatUnits } from '@tizara/money'
import * as v from 'valibot'
import { searchMembers } from '../../modules/members/index.ts'
import {
  creditMember,
  endMemberSessions,
  flagSpecialRcm,
  grantRole,
  type MoneyOutcome,
  readSharedTraces,
  setMemberStatus,
} from '../../modules/staff/index.ts'
import { inTransaction } from '../../platform/database.ts'
import { readSlice } from '../../platform/paging.ts'
import { act, table, when } from './act.ts'
import { BadUsage, needed, neededAmount, neededReason, neededWord } from './arguments.ts'
import type { Command, CommandInput } from './command.ts'
import { listQuery } from './list-query.ts'
import { memberIdOf } from './who.ts'

/** What to say about an act that may need a second person. */
export const outcomeLine = (outcome: MoneyOutcome, done: string) =>
  outcome.done ? done : `Filed as change ${outcome.changeId}: another staff member has to approve it.`

function statusCommand(status: boolean): Command {
  return {
    needsActor: true,
    run: async (input) => {
      const reason = neededReason(input.options)
      const id = await memberIdOf(input.db, input.args[0])
      await act(input, { action: status ? 'member.unblock' : 'member.block', subject: { type: 'member', id } }, (tx, actor) =>
        setMemberStatus(tx, input.deps, actor, { id, status, reason }),
      )
      return [`${input.args[0]} is ${status ? 'active' : 'blocked; all sessions have ended'}.`]
    },
  }
}

export const memberCommands: readonly (readonly [string, Command])[] = [
  [
    'members',
    {
      needsActor: true,
      run: async ({ db, args, options }) => {
        const { rows, total } = await searchMembers(db, args.join(' '), readSlice(listQuery(options)))
        const found = rows.map((row) => [
          row.public_id,
          row.email,
          row.name,
          row.role,
          [row.is_active ? '' : 'blocked', row.is_verified ? '' : 'not verified', row.is_special_rcm ? 'special' : '']
            .filter((word) => word !== '')
            .join(', '),
        ])
        return [`${total} members`, ...table(found, '  nobody')]
      },
    },
  ],
  [
    'traces',
    {
      needsActor: true,
      run: async ({ db, options }) => {
        const { data, meta } = await readSharedTraces(db, listQuery(options))
        const rows = data.map((row) => [
          when(row.firstSeenAt),
          row.member.email,
          `level ${row.level} below ${row.upline.email}`,
          [row.sameAddress ? 'same address' : '', row.sameDevice ? 'same browser' : '', row.samePayoutAddress ? 'same payout address' : '']
            .filter((word) => word !== '')
            .join(', '),
        ])
        return [`${meta.total} traces`, ...table(rows, '  none')]
      },
    },
  ],
  ['block', statusCommand(false)],
  ['unblock', statusCommand(true)],
  [
    'end-sessions',
    {
      needsActor: true,
      run: async (input) => {
        const reason = neededReason(input.options)
        const id = await memberIdOf(input.db, input.args[0])
        const ended = await act(input, { action: 'member.end-sessions', subject: { type: 'member', id } }, (tx, actor) =>
          endMemberSessions(tx, input.deps, actor, { id, reason }),
        )
        return [`${ended} sessions of ${input.args[0]} have ended.`]
      },
    },
  ],
  [
    'special-rcm',
    {
      needsActor: true,
      run: async (input) => {
        const reason = neededReason(input.options)
        const isSpecialRcm = neededWord(input.args[1], ['on', 'off'], 'on|off') === 'on'
        const id = await memberIdOf(input.db, input.args[0])
        await act(input, { action: 'member.special-rcm', subject: { type: 'member', id } }, (tx, actor) =>
          flagSpecialRcm(tx, input.deps, actor, { id, isSpecialRcm, reason }),
        )
        return [`${input.args[0]} is ${isSpecialRcm ? 'special' : 'ordinary'}.`]
      },
    },
  ],
  [
    'credit-rcm',
    {
      needsActor: true,
      run: async (input) => {
        const reason = neededReason(input.options)
        const amount = neededAmount(input.args[1], 'AMOUNT')
        const id = await memberIdOf(input.db, input.args[0])
        const outcome = await act(input, { action: 'member.credit-rcm', subject: { type: 'member', id } }, (tx, actor) =>
          creditMember(tx, input.deps, actor, { id, amount, reason }),
        )
        return [outcomeLine(outcome, `${input.args[0]} was credited with ${formatUnits(amount)} coin.`)]
      },
    },
  ],
  ['create-staff', { needsActor: false, run: createStaff }],
]

async function createStaff(input: CommandInput): Promise<string[]> {
  const { db, deps, actor, args, options } = input
  const reason = neededReason(options)
  const email = v.safeParse(emailSchema, needed(args[0], 'EMAIL'))
  if (!email.success) throw new BadUsage('EMAIL is no e-mail address.')
  const role = neededWord(args[1], ['SUPPORT', 'ADMIN', 'MEMBER'], 'ROLE')
  const grant = { email: email.output, name: options.name ?? email.output, phone: options.phone ?? '', role }
  const outcome =
    actor === null
      ? await inTransaction(db, (tx) => grantRole(tx, deps, null, grant, reason))
      : await act(input, { action: 'role.grant', subject: { type: 'member', id: email.output } }, (tx, who) =>
          grantRole(tx, deps, who, grant, reason),
        )
  return [outcomeLine(outcome, `${email.output} is ${role} now. A new account sets its password through the mailed link.`)]
}
