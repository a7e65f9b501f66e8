import type { QueryOf, ReplyOf } from '@tizara/contract'
import type * as wire from '@tizara/contract/staff-ledger'
import { sql } from 'kysely'
import {
  type AnySystemKind,
  type Asset,
  balancesOf,
  type Entry,
  entriesOf,
  knownAccount,
  shownNumber,
  shardsOfAccount,
  walletKinds,
  walletId,
} from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import { readPageRange } from '../../../platform/db/paging.ts'
import { type Member, membersById, searchMembers } from '../../members/index.ts'
import { idsOfTime, walletLabel } from '../../wallets/index.ts'
import { omitUndefined } from '../access/omit-undefined.ts'
import { flowOf } from './daily-totals.ts'
import { personOf } from '../access/person.ts'
import { allTransfers, receiptOfKind } from '../access/transfer-kinds.ts'

const PURPOSE: Readonly<Record<AnySystemKind, string>> = {
  'SYS-ISSUE': 'total supply issued',
  'SYS-DEPOSIT': 'came in',
  'SYS-WITHDRAW': 'paid out',
  'SYS-BRIDGE': 'paid out',
  'SYS-FEE': 'fees, never below zero',
  'SYS-SALES': 'sales fund, never below zero',
  'SYS-COIN': 'stock, never below zero',
  'SYS-CONVERT': 'not in use',
  'SYS-REWARD': 'reward pool, never below zero',
  'SYS-HOLD': 'held for payouts',
  'SYS-OPERATOR': 'paid in by the operator',
  'SYS-GAS': 'network fees paid',
  'SYS-LOSS': 'lost deposits',
  'SYS-IMPORT': 'imported balances',
}

const wireAsset = (asset: Asset) => (asset === 'USD' ? 'usd' : 'coin')

/** Returns a transfer kind's label: its receipt title, or its name. */
export function kindText(kind: string): string {
  const spaced = kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\b(nft|rcm)\b/g, (short) => short.toUpperCase())
  return receiptOfKind(kind)?.title ?? spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

/** Names an account: a wallet with its member, or a system account. */
export function sideOf(number: bigint, people: ReadonlyMap<bigint, Member>) {
  const account = knownAccount(number)
  if (account === undefined) throw new AppError('NOT_FOUND')
  if ('system' in account) return { number: String(shownNumber(number)), name: account.system }
  const member = people.get(account.owner)
  return { number: String(number), name: walletLabel(account.kind), ...(member === undefined ? {} : { member: personOf(member) }) }
}

/** Finds the accounts' owners. */
export const ownersOf = (db: Db, numbers: readonly bigint[]): Promise<Map<bigint, Member>> =>
  membersById(
    db,
    numbers.flatMap((number) => (number > 0n ? [number / 16n] : [])),
  )

/** Lists system accounts with their shards summed, or matching members' wallets. */
export async function findAccounts(
  db: Db,
  { q }: QueryOf<typeof wire.staffLedgerAccounts>,
): Promise<ReplyOf<typeof wire.staffLedgerAccounts>> {
  if (q === undefined || q === '') return systemAccounts(db)
  const { rows } = await searchMembers(db, { text: q, limit: 5 })
  const wallets = await Promise.all(
    rows.map(async (member) => {
      const balances = await balancesOf(db, member.id)
      return walletKinds.map((kind) => {
        const number = walletId(member.id, kind)
        const asset: 'usd' | 'coin' = kind === 'depositWallet' || kind === 'nftWallet' ? 'usd' : 'coin'
        return { ...sideOf(number, new Map([[member.id, member]])), hint: member.name, asset, balance: balances[kind] }
      })
    }),
  )
  return wallets.flat()
}

async function systemAccounts(db: Db): Promise<ReplyOf<typeof wire.staffLedgerAccounts>> {
  const found = await sql<{ number: bigint; kind: AnySystemKind; asset: Asset; balance: bigint }>`
    select max(id) as number, kind, asset, sum(balance)::bigint as balance from ledger_account where id < 0
    group by kind, asset order by asset, max(id) desc`.execute(db)
  return found.rows.map(({ number, kind, asset, balance }) => ({
    number: String(shownNumber(number)),
    name: kind,
    hint: PURPOSE[kind],
    asset: wireAsset(asset),
    balance,
  }))
}

/**
 * Reads one account with its shards and permitted transfer kinds.
 * @throws AppError NOT_FOUND
 */
export async function readAccount(db: Db, text: string, now: Date): Promise<ReplyOf<typeof wire.staffLedgerAccount>> {
  const number = BigInt(text)
  const account = knownAccount(number)
  const shards = account === undefined ? [] : await shardsOfAccount(db, number)
  const [first] = shards
  if (account === undefined || first === undefined) throw new AppError('NOT_FOUND')
  const [owners, month] = await Promise.all([ownersOf(db, [number]), flowOf(db, number, now)])
  const side = sideOf(number, owners)
  const label = 'system' in account ? `${account.system} ${account.asset}` : account.kind
  return {
    ...side,
    hint: 'system' in account ? PURPOSE[account.system] : (side.member?.name ?? ''),
    asset: wireAsset(first.asset),
    balance: shards.reduce((sum, shard) => sum + shard.balance, 0n),
    shards: shards.map((shard) => ({ number: String(shard.number), balance: shard.balance })),
    kinds: Object.entries(allTransfers)
      .filter(([, { pairs }]) => pairs.some((pair: readonly string[]) => pair.includes(label)))
      .map(([kind]) => ({ kind, text: kindText(kind) })),
    ...omitUndefined({ month }),
  }
}

/**
 * Lists an account's entries, newest first, with the requested filters.
 * @throws AppError NOT_FOUND
 */
export async function readEntries(
  db: Db,
  text: string,
  query: QueryOf<typeof wire.staffLedgerEntries>,
): Promise<ReplyOf<typeof wire.staffLedgerEntries>> {
  const number = BigInt(text)
  if (knownAccount(number) === undefined) throw new AppError('NOT_FOUND')
  const { since, before: until } = readPageRange(query)
  const range = await idsOfTime(db, since, until)
  const found = await entriesOf(db, number, {
    ...range,
    kind: query.kind,
    since,
    until,
    before: query.before === undefined ? undefined : BigInt(query.before),
    limit: Math.min(query.limit ?? 50, 200),
  })
  const people = await ownersOf(
    db,
    found.map((entry) => entry.other),
  )
  return { data: found.map((entry) => entryRow(entry, people)) }
}

/** Labels for unusual causes. */
const TAGS: Readonly<Record<string, string>> = { reversal: 'reversal', reward_pool: 'by staff', rcm_credit: 'by staff' }

const entryRow = (entry: Entry, people: ReadonlyMap<bigint, Member>) => ({
  id: String(entry.transferId),
  at: entry.at,
  kind: entry.kind,
  text: kindText(entry.kind),
  amount: entry.amount,
  balanceAfter: entry.balanceAfter,
  other: sideOf(entry.other, people),
  ...(entry.cause.type === 'reward_run' ? { run: entry.cause.id } : {}),
  ...omitUndefined({ tag: TAGS[entry.cause.type] }),
})
