import type { ReplyOf } from '@tizara/contract'
import type { staffSearch } from '@tizara/contract/staff-platform'
import { parseUnits } from '@tizara/money'
import { sql } from 'kysely'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { transferById } from '../../../ledger/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import { depositsFound } from '../../deposits/index.ts'
import type { Member } from '../../members/index.ts'
import { ticketsFound } from '../../support/index.ts'
import { payoutsFound } from '../../withdrawals/index.ts'
import { findByText } from '../members/members.queries.ts'
import { mayRole } from '../access/rights.ts'

type SearchReply = ReplyOf<typeof staffSearch>
type Hit = SearchReply['members'][number]

/** Results per kind. */
const MAX_HITS = 5
const NOTHING: SearchReply = { members: [], waiting: [], transfers: [], changes: [] }

/** Returns a search text's possible meanings, by its format. */
function formsOf(text: string) {
  const amount = /^\d{1,3}(,?\d{3})*(\.\d{1,8})?$/.test(text) ? (parseUnits(text.replaceAll(',', '')) ?? undefined) : undefined
  return {
    amount,
    number: /^\d{1,18}$/.test(text) ? BigInt(text) : undefined,
    id: /^[\w-]{10,64}$/.test(text) ? text : undefined,
    hash: /^(0x)?[0-9a-fA-F]{64}$/.test(text) ? text : undefined,
  }
}

/** Searches everything by index, five results per kind (staff.md 4). Results outside the viewer's rights are omitted. */
export async function findEverywhere(db: Db, viewer: Pick<Viewer, 'role'>, text: string): Promise<SearchReply> {
  if (text.length < 2) return NOTHING
  const forms = formsOf(text)
  const people = await findByText(db, text, MAX_HITS)
  const search = { ...forms, memberIds: people.map((one) => one.id), limit: MAX_HITS }
  const [payouts, deposits, tickets, transfer, changes] = await Promise.all([
    payoutsFound(db, search),
    depositsFound(db, search),
    ticketsFound(db, search),
    forms.number === undefined ? undefined : transferById(db, forms.number),
    forms.id === undefined ? [] : changesById(db, forms.id),
  ])
  const may = (right: Parameters<typeof mayRole>[1]) => mayRole(viewer.role, right)
  return {
    members: may('staffMembers') ? people.map(asMember) : [],
    waiting: may('staffQueue')
      ? [
          ...payouts.map(({ id, name, kind, ...row }): Hit => ({
            ...row,
            id,
            kind: 'payout',
            text: kind === 'bridge' ? 'Bridge' : 'Payout',
            detail: name,
            asset: kind === 'bridge' ? 'coin' : 'usd',
            href: `/staff/payouts/${id}`,
          })),
          ...deposits.map((row): Hit => ({
            ...row,
            kind: 'deposit',
            text: 'Deposit',
            asset: 'usd',
            href: `/staff/deposits/${row.id}`,
          })),
          ...tickets.map(({ title, name, ...row }): Hit => ({
            ...row,
            kind: 'ticket',
            text: title,
            detail: name,
            href: `/staff/tickets/${row.id}`,
          })),
        ].slice(0, MAX_HITS)
      : [],
    transfers:
      transfer === undefined
        ? []
        : [
            {
              id: String(transfer.id),
              kind: 'transfer',
              text: `Transfer ${transfer.id}`,
              detail: transfer.kind,
              at: transfer.at,
              asset: transfer.asset === 'USD' ? 'usd' : 'coin',
              amount: transfer.amount,
              href: `/staff/ledger/-/${transfer.id}`,
            },
          ],
    changes: may('staffChanges') ? changes : [],
  }
}

const asMember = (member: Member): Hit => ({
  id: member.public_id,
  kind: 'member',
  text: member.name,
  detail: member.email,
  at: member.created_at,
  href: `/staff/members/${member.public_id}`,
})

async function changesById(db: Db, id: string): Promise<Hit[]> {
  const { rows } = await sql<{ id: string; subject: string; reason: string; at: Date }>`
    select public_id as id, subject, reason, created_at as at from staff_proposal where public_id = ${id}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    kind: 'change',
    text: row.subject,
    detail: row.reason,
    at: row.at,
    href: `/staff/changes/${row.id}`,
  }))
}
