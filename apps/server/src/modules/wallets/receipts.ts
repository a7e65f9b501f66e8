import type { Receipt, ReceiptKind, WalletKey } from '@tizara/contract/wallets'
import { type AnyAccountRef, receiptOf, type Receipt as LedgerReceipt } from '../../ledger/index.ts'
import type { Db } from '../../platform/database.ts'
import { memberById } from '../members/index.ts'

/** Finds the receipt of one row of a member's own history; undefined when there is none that is theirs. */
export type ReceiptFinder = (db: Db, memberId: bigint, id: string) => Promise<Receipt | undefined>
/** The finders of all capabilities, by kind of history. */
export type ReceiptFinders = Partial<Record<ReceiptKind, ReceiptFinder>>

/** What a capability knows about its row; the ledger says the rest. */
export type ReceiptFrame = Pick<Receipt, 'kind' | 'id' | 'title'> & Partial<Omit<Receipt, 'kind' | 'id' | 'title'>>

const WALLET_LABELS: Readonly<Record<WalletKey, string>> = {
  depositWallet: 'Deposit Wallet',
  nativeWallet: 'Native Wallet',
  icoWallet: 'My Wallet',
  newIcoWallet: 'ICO Wallet',
  stakeWallet: 'Stake Wallet',
  nftWallet: 'NFT Wallet',
  rcmWallet: 'RCM Wallet',
}

const HOUSE_LABELS: Readonly<Record<string, string>> = {
  'SYS-DEPOSIT': 'Payment received',
  'SYS-WITHDRAW': 'Paid out',
  'SYS-BRIDGE': 'Paid out',
  'SYS-FEE': 'Fees',
  'SYS-SALES': 'Sales',
  'SYS-COIN': 'Coin stock',
  'SYS-CONVERT': 'Conversion',
  'SYS-REWARD': 'Reward pool',
  'SYS-HOLD': 'On hold',
}

/** What each kind of transfer is called when it has no history of its own. */
const TITLES: Readonly<Record<string, string>> = {
  userToUser: 'Transfer between members',
  swapNative: 'Swap to my wallet',
  nftToDeposit: 'Transfer to deposit wallet',
  convertToMyWallet: 'Convert to my wallet',
  myWalletToUsd: 'Swap to USD',
  rcmToUsd: 'RCM withdrawal',
  stakeMatured: 'Stake returned',
  stakeUndone: 'Stake undone',
  nftPurchaseUndone: 'NFT purchase undone',
  buyTokenUndone: 'Coin purchase undone',
}

async function placeOf(db: Db, account: AnyAccountRef, reader: bigint): Promise<Receipt['from']> {
  if ('house' in account) return { label: HOUSE_LABELS[account.house] ?? 'House' }
  if (account.owner === reader) return { label: WALLET_LABELS[account.kind], wallet: account.kind }
  const other = await memberById(db, account.owner)
  return { label: other?.email ?? 'Another member' }
}

/**
 * Fills a receipt from the ledger transfer behind it: both sides, amount, and the reader's balance before and after.
 * @param db where
 * @param memberId who reads; the transfer has to touch one of their wallets
 * @param transferId the ledger transfer
 * @param frame what the capability knows; wins over what the ledger says
 * @returns undefined when the transfer does not exist or is somebody else's
 */
export async function receiptFromTransfers(
  db: Db,
  memberId: bigint,
  transferId: bigint,
  frame?: ReceiptFrame,
): Promise<Receipt | undefined> {
  const transfer = await receiptOf(db, transferId)
  if (transfer === undefined) return undefined
  const own = ownSide(transfer, memberId)
  if (own === undefined) return undefined
  const [from, to] = await Promise.all([placeOf(db, transfer.from.account, memberId), placeOf(db, transfer.to.account, memberId)])
  return {
    kind: 'transfer',
    id: String(transferId),
    title: TITLES[transfer.kind] ?? 'Transfer',
    asset: transfer.asset === 'USD' ? 'usd' : 'coin',
    amount: transfer.amount,
    from,
    to,
    balanceBefore: own.balanceBefore,
    balanceAfter: own.balanceAfter,
    ...(transfer.ruleVersion === null ? {} : { ruleVersion: String(transfer.ruleVersion) }),
    transferId: String(transferId),
    createdAt: transfer.at,
    lines: [],
    ...frame,
  }
}

function ownSide(transfer: LedgerReceipt, memberId: bigint) {
  const isOwn = (account: AnyAccountRef) => 'owner' in account && account.owner === memberId
  if (isOwn(transfer.from.account)) return transfer.from
  return isOwn(transfer.to.account) ? transfer.to : undefined
}
