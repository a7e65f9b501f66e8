import type { HistoryKind } from '@tizara/contract/history-kinds'
import type { Asset, Receipt, WalletKey } from '@tizara/contract/wallets'
import type { MovementGroup } from '@tizara/contract/wallets-movements'
import { fillText } from '@tizara/contract/response-texts'
import { formatUnits, type Units } from '@tizara/money'
import {
  type AnyAccountRef,
  type AnySystemKind,
  receiptOf,
  reversalOf,
  receiptsOfPosting,
  type Receipt as LedgerReceipt,
  type ReversalRule,
  type TransferKind,
} from '../../ledger/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { memberById } from '../members/index.ts'
import { type Settings, settingsOf } from '../settings/index.ts'

/** Fields of a receipt that a module fills from its own row. The other fields come from the ledger. */
export type ReceiptFrame = Pick<Receipt, 'kind' | 'id' | 'title'> & Partial<Omit<Receipt, 'kind' | 'id' | 'title'>>

/**
 * Builds a receipt line with an amount.
 * @param amount units
 * @param asset if different from the receipt's
 */
export const amountLine = (label: string, amount: Units, asset?: Asset): Receipt['lines'][number] => ({
  label,
  value: formatUnits(amount),
  amount,
  ...(asset === undefined ? {} : { asset }),
})

export const momentLine = (label: string, at: Date): Receipt['lines'][number] => ({ label, value: at.toISOString(), at })

const WALLET_LABELS: Readonly<Record<WalletKey, string>> = {
  depositWallet: 'Deposit Wallet',
  nativeWallet: 'Native Wallet',
  icoWallet: 'My Wallet',
  newIcoWallet: 'ICO Wallet',
  stakeWallet: 'Stake Wallet',
  nftWallet: 'NFT Wallet',
  rcmWallet: 'RCM Wallet',
}

/** Returns a wallet's label for members. */
export const walletLabel = (kind: WalletKey): string => WALLET_LABELS[kind]

const SYSTEM_ACCOUNT_LABELS: Readonly<Record<AnySystemKind, string>> = {
  'SYS-ISSUE': 'Operator',
  'SYS-DEPOSIT': 'Payment received',
  'SYS-WITHDRAW': 'Paid out',
  'SYS-BRIDGE': 'Paid out',
  'SYS-FEE': 'Fees',
  'SYS-SALES': 'Sales',
  'SYS-COIN': 'Coin stock',
  'SYS-CONVERT': 'Conversion',
  'SYS-REWARD': 'Reward pool',
  'SYS-HOLD': 'On hold',
  'SYS-OPERATOR': 'Operator',
  'SYS-GAS': 'Operator',
  'SYS-LOSS': 'Operator',
  'SYS-IMPORT': 'Earlier platform',
}

/** Returns a system account's label for members. */
export const systemAccountLabel = (kind: AnySystemKind): string => SYSTEM_ACCOUNT_LABELS[kind]

type Terms = Pick<ReceiptFrame, 'rule' | 'rate' | 'rateUnit' | 'rounding'>

/** Texts that members see for a transfer kind. */
interface Movement {
  title: string
  /** Title for staff, if it differs. */
  staffTitle?: string
  /** Group that members filter by. */
  group: MovementGroup
  /** List whose rows have the id of the transfer's cause. The receipt of that row is shown in place of the transfer's. */
  list?: HistoryKind
  /** The movement's terms: fixed, or from the settings in force. */
  terms?: Terms | ((settings: Settings) => Terms)
  /** True if one asset is exchanged for another, so that the receipt shows both legs. */
  twoAssets?: true
}
/** A transfer kind declared by its module. `receipt` is set for each kind that moves a wallet. */
export interface MovingKind extends TransferKind {
  reversal: ReversalRule
  receipt?: Movement
}

async function termsOf(db: Db, terms: Movement['terms'], ruleVersion: number | null): Promise<Terms> {
  if (typeof terms !== 'function') return terms ?? {}
  return ruleVersion === null ? {} : terms(await settingsOf(db, ruleVersion))
}

/** Lists the posting's movements in the reader's other wallets. */
async function otherSide(db: Db, memberId: bigint, transfer: LedgerReceipt): Promise<Receipt['lines']> {
  const legs = (await receiptsOfPosting(db, transfer.postingId)).filter((leg) => leg.transferId !== transfer.transferId)
  return legs.flatMap((leg) => {
    const line = (account: AnyAccountRef, label: 'Taken from {wallet}' | 'Arrived in {wallet}') =>
      'owner' in account && account.owner === memberId
        ? [amountLine(fillText(label, { wallet: WALLET_LABELS[account.kind] }), leg.amount, leg.asset === 'USD' ? 'usd' : 'coin')]
        : []
    return [...line(leg.from.account, 'Taken from {wallet}'), ...line(leg.to.account, 'Arrived in {wallet}')]
  })
}

/** Returns lines about the reversal of the transfer, or about the transfer that it reverses. */
async function reversalLines(db: Db, transferId: bigint): Promise<Receipt['lines']> {
  const reversal = await reversalOf(db, transferId)
  if (reversal === undefined) return []
  return reversal.reverses === transferId
    ? [momentLine('Reversed by staff', reversal.at)]
    : [{ label: 'Reverses transfer', value: String(reversal.reverses) }]
}

async function partyOf(db: Db, account: AnyAccountRef, reader: bigint): Promise<Receipt['from']> {
  if ('system' in account) return { label: SYSTEM_ACCOUNT_LABELS[account.system] }
  if (account.owner === reader) return { label: WALLET_LABELS[account.kind], wallet: account.kind }
  const other = await memberById(db, account.owner)
  return { label: other?.email ?? 'Another member' }
}

/**
 * Builds the receipt of a movement, a transfer that belongs to no history.
 * @returns undefined when the transfer does not exist or belongs to another member
 */
export async function receiptOfMovement(
  db: Db,
  memberId: bigint,
  transferId: bigint,
  kinds: Readonly<Record<string, MovingKind>>,
): Promise<Receipt | undefined> {
  const transfer = await receiptOf(db, transferId)
  if (transfer === undefined) return undefined
  const movement: Partial<Movement> = kinds[transfer.kind]?.receipt ?? {}
  const { title = 'Transfer', terms, twoAssets } = movement
  const frame = { kind: 'transfer', id: String(transferId), title, ...(await termsOf(db, terms, transfer.ruleVersion)) } as const
  return fillReceipt(db, memberId, transfer, frame, twoAssets)
}

/**
 * Completes a receipt from its ledger transfer: both sides, amount, and the reader's balance before and after. Fields of the frame take
 * precedence.
 * @returns undefined when the transfer does not exist or belongs to another member
 */
export async function receiptFromTransfers(
  db: Db,
  memberId: bigint,
  transferId: bigint,
  frame: ReceiptFrame,
  { twoAssets }: Pick<Movement, 'twoAssets'> = {},
): Promise<Receipt | undefined> {
  const transfer = await receiptOf(db, transferId)
  return transfer === undefined ? undefined : fillReceipt(db, memberId, transfer, frame, twoAssets)
}

async function fillReceipt(
  db: Db,
  memberId: bigint,
  transfer: LedgerReceipt,
  frame: ReceiptFrame,
  twoAssets = false,
): Promise<Receipt | undefined> {
  const memberSide = sideOfMember(transfer, memberId)
  if (memberSide === undefined) return undefined
  const [from, to] = await Promise.all([partyOf(db, transfer.from.account, memberId), partyOf(db, transfer.to.account, memberId)])
  const lines = [...(twoAssets ? await otherSide(db, memberId, transfer) : []), ...(await reversalLines(db, transfer.transferId))]
  return {
    asset: transfer.asset === 'USD' ? 'usd' : 'coin',
    amount: transfer.amount,
    from,
    to,
    balanceBefore: memberSide.balanceBefore,
    balanceAfter: memberSide.balanceAfter,
    ...(transfer.ruleVersion === null ? {} : { ruleVersion: String(transfer.ruleVersion) }),
    transferId: String(transfer.transferId),
    createdAt: transfer.at,
    ...frame,
    lines: [...lines, ...(frame.lines ?? [])],
  }
}

function sideOfMember(transfer: LedgerReceipt, memberId: bigint) {
  const isOwn = (account: AnyAccountRef) => 'owner' in account && account.owner === memberId
  if (isOwn(transfer.from.account)) return transfer.from
  return isOwn(transfer.to.account) ? transfer.to : undefined
}
