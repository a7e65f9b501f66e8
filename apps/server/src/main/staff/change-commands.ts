import { changeSubjects, proposal, type Proposal } from '@tizara/contract/staff-changes'
import { formatUnits } from '@tizara/money'
import * as v from 'valibot'
import { approveChange, fundPool, listChanges, proposeChange, readAudit, refuseChange, startRewardRun } from '../../modules/staff/index.ts'
import { AppError } from '../../platform/app-error.ts'
import { act, table, when } from './act.ts'
import { BadUsage, needed, neededAmount, neededReason, neededWord } from './arguments.ts'
import type { Command, CommandInput } from './command.ts'
import { listQuery } from './list-query.ts'
import { outcomeLine } from './member-commands.ts'

function readProposal(input: CommandInput): Proposal {
  const subject = neededWord(input.args[0], changeSubjects, 'SUBJECT')
  const value = readValue(needed(input.args.slice(1).join(' '), 'JSON'))
  const read = v.safeParse(proposal, { subject, value, reason: neededReason(input.options) })
  if (read.success) return read.output
  throw new BadUsage(read.issues.map((issue) => `${v.getDotPath(issue) ?? 'value'}: ${issue.message}`).join('; '))
}

async function propose(input: CommandInput, change: Proposal): Promise<string[]> {
  const id = await act(input, { action: 'change.propose', subject: { type: 'change', id: change.subject } }, (tx, actor) =>
    proposeChange(tx, input.deps, actor, change),
  )
  return [`Proposed as change ${id}: another staff member has to approve it.`]
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadUsage('JSON is not JSON.')
  }
}

const priceOf = (input: CommandInput): Proposal => ({
  subject: 'price',
  value: { coinPrice: neededAmount(input.args[0], 'PRICE') },
  reason: neededReason(input.options),
})

/** Settings and the trail are for admins to read, as in the console. */
function assertAdmin({ actor }: CommandInput): bigint {
  if (actor === null || actor.role !== 'ADMIN') throw new AppError('STAFF_ONLY')
  return actor.memberId
}

export const changeCommands: readonly (readonly [string, Command])[] = [
  ['set-price', { needsActor: true, run: (input) => propose(input, priceOf(input)) }],
  ['propose', { needsActor: true, run: (input) => propose(input, readProposal(input)) }],
  [
    'changes',
    {
      needsActor: true,
      run: async (input) => {
        const { data, meta } = await listChanges(input.db, assertAdmin(input), { ...listQuery(input.options), status: undefined })
        const rows = data.map((row) => [
          row.id,
          row.status,
          row.subject,
          row.proposedBy,
          when(row.createdAt),
          JSON.stringify(row.value),
          row.reason,
        ])
        return [`${meta.total} changes`, ...table(rows, '  none')]
      },
    },
  ],
  [
    'approve-change',
    {
      needsActor: true,
      run: async (input) => {
        const id = needed(input.args[0], 'ID')
        await act(input, { action: 'change.approve', subject: { type: 'change', id } }, (tx, actor) =>
          approveChange(tx, input.deps, actor, { id, reason: input.options.reason }),
        )
        return [`${id} is in force.`]
      },
    },
  ],
  [
    'refuse-change',
    {
      needsActor: true,
      run: async (input) => {
        const id = needed(input.args[0], 'ID')
        const reason = neededReason(input.options)
        await act(input, { action: 'change.refuse', subject: { type: 'change', id } }, (tx, actor) =>
          refuseChange(tx, input.deps, actor, { id, reason }),
        )
        return [`${id} is refused.`]
      },
    },
  ],
  [
    'fund',
    {
      needsActor: true,
      run: async (input) => {
        const reason = neededReason(input.options)
        const asset = neededWord(input.args[0], ['coin', 'usd'], 'COIN|USD')
        const amount = neededAmount(input.args[1], 'AMOUNT')
        const source = neededWord(input.options.from ?? 'stock', ['stock', 'operator'], '--from')
        const outcome = await act(input, { action: 'rewards.fund-pool', subject: { type: 'reward_pool', id: asset } }, (tx, actor) =>
          fundPool(tx, input.deps, actor, { asset, amount, source, reason }),
        )
        return [outcomeLine(outcome, `The reward pool got ${formatUnits(amount)} ${asset}.`)]
      },
    },
  ],
  [
    'run',
    {
      needsActor: true,
      run: async ({ db, deps, actor }) => {
        if (actor === null) throw new BadUsage('--as STAFF_EMAIL is missing.')
        await startRewardRun(db, deps, actor)
        return ['What was due is paid.']
      },
    },
  ],
  [
    'audit',
    {
      needsActor: true,
      run: async (input) => {
        assertAdmin(input)
        const { data } = await readAudit(input.db, { ...listQuery(input.options), q: input.options.search, before: undefined })
        return table(
          data.map((row) => [when(row.createdAt), row.actor, row.action, row.details.outcome, row.subject, row.reason ?? '']),
          'nothing',
        )
      },
    },
  ],
]
