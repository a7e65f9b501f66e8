import type { Asset, Receipt, ReceiptKind, WalletKey } from '@tizara/contract/wallets'
import { formatUnits, type Units } from '@tizara/money'
import { type AnyAccountRef, receiptOf, receiptsOfPosting, type Receipt as LedgerReceipt } from '../../ledger/index.ts'
import type { Db } from '../../platform/database.ts'
import { memberById } from '../members/index.ts'
import { type Settings, settingsOf } from '../settings/index.ts'

/** Finds the receipt of one row of a member's own history; undefined when there is none that is theirs. */
export type ReceiptFinder = (db: Db, memberId: bigint, id: string) => Promise<Receipt | undefined>
/** The finders of all capabilities, by kind of history. */
export type ReceiptFinders = Partial<Record<ReceiptKind, ReceiptFinder>>

/** What a capability knows about its row; the ledger says the rest. */
export type ReceiptFrame = Pick<Receipt, 'kind' | 'id' | 'title'> & Partial<Omit<Receipt, 'kind' | 'id' | 'title'>>

/**
 * A line of a receipt with an amount in it.
 * @param amount units
 * @param asset when it is another one than the receipt's
 */
export const amountLine = (label: string, amount: Units, asset?: Asset): Receipt['lines'][number] => ({
  label,
  value: formatUnits(amount),
  amount,
  ...(asset === undefined ? {} : { asset }),
})

/** A line of a receipt with a moment in it. */
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

type Terms = Pick<ReceiptFrame, 'rule' | 'rate' | 'rateUnit' | 'rounding'>
const ONE_TO_ONE: Terms = { rule: '1 to 1, without a fee' }
const sold = ({ coinPrice }: Settings): Terms => ({
  rule: 'coin × coin price, rounded down at the eighth decimal',
  rate: coinPrice,
  rateUnit: 'USD for one coin',
})

/** By what terms a transfer without a history of its own was made: always the same ones, or those of the settings then. */
const TERMS: Readonly<Record<string, Terms | ((settings: Settings) => Terms)>> = {
  userToUser: ONE_TO_ONE,
  swapNative: ONE_TO_ONE,
  nftToDeposit: ONE_TO_ONE,
  convertToMyWallet: ({ convertRate }) => ({
    rule: 'USD ÷ convert rate, rounded down at the eighth decimal',
    rate: convertRate,
    rateUnit: 'USD for one coin',
  }),
  myWalletToUsd: sold,
  rcmToUsd: sold,
}

async function termsOf(db: Db, transfer: LedgerReceipt): Promise<Terms> {
  const terms = TERMS[transfer.kind]
  if (typeof terms !== 'function') return terms ?? {}
  return transfer.ruleVersion === null ? {} : terms(await settingsOf(db, transfer.ruleVersion))
}

/** Where one asset is given for another: few legs each, and the reader has to see both. */
const TWO_ASSETS: ReadonlySet<string> = new Set(['convertToMyWallet', 'myWalletToUsd', 'rcmToUsd', 'buyToken', 'buyTokenUndone'])

/** What the same posting moved in the reader's other wallets. */
async function otherSide(db: Db, memberId: bigint, transfer: LedgerReceipt): Promise<Receipt['lines']> {
  if (!TWO_ASSETS.has(transfer.kind)) return []
  const legs = (await receiptsOfPosting(db, transfer.postingId)).filter((leg) => leg.transferId !== transfer.transferId)
  return legs.flatMap((leg) => {
    const line = (account: AnyAccountRef, word: string) =>
      'owner' in account && account.owner === memberId
        ? [amountLine(`${word} ${WALLET_LABELS[account.kind]}`, leg.amount, leg.asset === 'USD' ? 'usd' : 'coin')]
        : []
    return [...line(leg.from.account, 'Taken from'), ...line(leg.to.account, 'Arrived in')]
  })
}

async function placeOf(db: Db, account: AnyAccountRef, reader: bigint): Promise<Receipt['from']> {
  if ('house' in account) return { label: HOUSE_LABELS[account.house] ?? 'House' }
  if (account.owner === reader) return { label: WALLET_LABELS[account.kind], wallet: account.kind }
  const other = await memberById(db, account.owner)
  return { label: other?.email ?? 'Another member' }
}

/**
 * Fills a receipt from the ledger transfer behind it: both sides, amount, and the reader's balance before and after.
 * @param memberId who reads; the transfer has to touch one of their wallets
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
  const lines = await otherSide(db, memberId, transfer)
  const terms = await termsOf(db, transfer)
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
    ...terms,
    ...frame,
    lines: [...lines, ...(frame?.lines ?? [])],
  }
}

function ownSide(transfer: LedgerReceipt, memberId: bigint) {
  const isOwn = (account: AnyAccountRef) => 'owner' in account && account.owner === memberId
  if (isOwn(transfer.from.account)) return transfer.from
  return isOwn(transfer.to.account) ? transfer.to : undefined
}
