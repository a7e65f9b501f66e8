import { cutOf, knownAccount, lastBefore, MAX_TRANSFER_ID, walletKinds, walletId, type WalletKind } from '../../ledger/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { idsOfTime } from './ids-of-time.ts'
import { type MovingKind, systemAccountLabel, walletLabel } from './receipts.ts'

/** One wallet's part of a statement: ids and units as text, for a job's JSON. */
export interface Part {
  after: string
  upTo: string
  opening: string
  closing: string
}

export function monthRange(month: string): { since: Date; until: Date } {
  const [year = 0, index = 0] = month.split('-').map(Number)
  return { since: new Date(Date.UTC(year, index - 1, 1)), until: new Date(Date.UTC(year, index, 1)) }
}

/**
 * Fixes the range of each wallet at the start, so that later transfers do not change the statement. The next month opens with the closing
 * balance of this month, and both match the ledger (RW-13).
 */
export function partsOf(db: Db, ownerId: bigint, month: string): Promise<Part[]> {
  const { since, until } = monthRange(month)
  return Promise.all(
    walletKinds.map(async (kind) => {
      const account = walletId(ownerId, kind)
      const cut = async (at: Date) => cutOf(db, account, at, (await idsOfTime(db, at, undefined)).afterId ?? 0n)
      const [from, to] = [await cut(since), await cut(until)]
      const [opening, closing] = [await lastBefore(db, account, from), await lastBefore(db, account, to)]
      return {
        after: String(from === MAX_TRANSFER_ID ? (closing?.id ?? 0n) : from - 1n),
        upTo: String(closing?.id ?? 0n),
        opening: String(opening?.balance ?? 0n),
        closing: String(closing?.balance ?? 0n),
      }
    }),
  )
}

export const unitOf = (wallet: number): 'USD' | 'coin' =>
  ['depositWallet', 'nftWallet'].includes(walletKinds[wallet] ?? '') ? 'USD' : 'coin'

/** Returns a transfer kind's label on a statement. */
export const titleOf = (kinds: Readonly<Record<string, MovingKind>>, kind: string): string =>
  kinds[kind]?.receipt?.title ?? kind.charAt(0).toUpperCase() + kind.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Other members are not named, because the file leaves the platform. */
export function otherSide(number: bigint, ownerId: bigint): string {
  const account = knownAccount(number)
  if (account === undefined) return ''
  if ('system' in account) return systemAccountLabel(account.system)
  return account.owner === ownerId ? walletLabel(account.kind) : 'Another member'
}

/** Describes a movement for a file that members give to third parties: title, unit and the other side. */
export const describeMovement = (
  kinds: Readonly<Record<string, MovingKind>>,
  ownerId: bigint,
  wallet: WalletKind,
  row: { kind: string; other: bigint },
) => ({ kind: titleOf(kinds, row.kind), unit: unitOf(walletKinds.indexOf(wallet)), other_side: otherSide(row.other, ownerId) })
